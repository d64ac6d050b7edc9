import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders of the packages that the modules are of, each once. */
export function packageFolders(modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(slashed(path)) ?? []);
  return [...new Set(folders)].sort();
}

/** The licenses of the packages in these folders, as a text: they ask to go with every copy. Throws when a package has none. */
export async function licensesOf(folders: readonly string[]): Promise<string> {
  const texts = folders.map(async (folder) => {
    const { name, version }: Readonly<Record<string, string>> = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    );
    const file = (await readdir(folder)).find((path) => /^licen[cs]e/i.test(path));
    if (file === undefined) throw new Error(`${name} has no license in its folder: it cannot go into our files`);
    return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(40)}\n\n`);
}

const slashed = (path: string): string => path.replaceAll('\\', '/');
