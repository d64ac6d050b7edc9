import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '#infrastructure/program/program-files.ts';

const manifest = z.object({ version: z.string() });

/** The version of Portolan, as package.json states it; everything that shows a version takes it from here. */
export const { version } = manifest.parse(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')));
