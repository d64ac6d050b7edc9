import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assets, programs, publicEntries, starters } from '#test/tools/build/entries.ts';
import { writeJavaScript } from '#test/tools/build/javascript.ts';
import { writeTypes } from '#test/tools/build/types.ts';

/** Writes everything that the package has beside package.json into the folder, which is emptied before. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await Promise.all([writeJavaScript({ ...programs, ...publicEntries }, folder), writeTypes(publicEntries, folder)]);
  for (const path of assets) await cp(path, join(folder, path), { recursive: true });
  await cp('test/contracts/clauses.json', join(folder, 'contracts/clauses.json'));
  for (const path of starters) await cp(path, join(folder, basename(path)));
}
