// Builds the package: `npm run build` writes `dist`, which `npm pack` does by itself.
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assets, programs, publicEntries, starters } from '#test/tools/build/entries.ts';
import { writeJavaScript } from '#test/tools/build/javascript.ts';
import { writeTypes } from '#test/tools/build/types.ts';

const folder = 'dist';
await rm(folder, { recursive: true, force: true });
await Promise.all([writeJavaScript({ ...programs, ...publicEntries }, folder), writeTypes(publicEntries, folder)]);
for (const path of assets) await cp(path, join(folder, path), { recursive: true });
for (const path of starters) await cp(path, join(folder, basename(path)));
