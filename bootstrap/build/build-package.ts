import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assets, clauses, programs, publicEntries, starters, templates } from '#bootstrap/build/entries.ts';
import { writeJavaScript } from '#bootstrap/build/javascript.ts';
import { writeTypes } from '#bootstrap/build/types.ts';

/**
 * Writes everything that the package has beside package.json into the folder, which is emptied before. Returns the
 * folders of the packages whose modules are in its files.
 */
export async function buildPackage(folder: string): Promise<Readonly<{ packages: readonly string[] }>> {
  await rm(folder, { recursive: true, force: true });
  const [packages] = await Promise.all([
    writeJavaScript({ ...programs, ...publicEntries }, folder, { extension: 'js', mapsHaveText: true }),
    writeTypes(publicEntries, folder),
  ]);
  for (const path of assets) await cp(path, join(folder, path), { recursive: true });
  await writeTemplates(join(folder, `${templates}.json`));
  await cp(clauses, join(folder, 'contracts/clauses.json'));
  for (const path of starters) await cp(path, join(folder, basename(path)));
  return { packages };
}

/** Writes the pages' templates to one file, by name. */
async function writeTemplates(file: string): Promise<void> {
  const names = (await readdir(templates)).sort();
  const texts = names.map(async (name) => [name.replace('.eta', ''), await readFile(join(templates, name), 'utf8')]);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(Object.fromEntries(await Promise.all(texts))));
}
