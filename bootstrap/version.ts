import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const manifestSchema = z.object({ name: z.literal('portolan'), version: z.string() });

/** The version of this package, from the `package.json` above this file, whether it runs from sources or built. */
export function packageVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = manifestSchema.safeParse(manifestIn(folder));
    if (manifest.success) return manifest.data.version;
    if (folder === dirname(folder)) throw new Error('There is no package.json of portolan above this file.');
  }
}

function manifestIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
}
