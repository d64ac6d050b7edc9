import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '#infrastructure/program/program-files.ts';

const schema = z.object({ version: z.string() });

/** The version of the package (semver). */
export const { version } = schema.parse(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')));
