import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '#infrastructure/program/program-files.ts';

const manifest = z.object({ version: z.string() });

/** The version of Portolan from package.json, the only source for everything that shows a version. */
export const { version } = manifest.parse(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')));
