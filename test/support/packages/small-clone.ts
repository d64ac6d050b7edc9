import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with as much of a clone as its state is told from, and a program. */
export type SmallClone = Readonly<{
  root: string;
  /** The program's file. */
  main: string;
  /** Writes a file by its path in the clone. */
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}>;

export async function smallClone(): Promise<SmallClone> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portolan-clone-')));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const folders = ['domain', 'application', 'adapters', 'infrastructure', 'test/tools/build'];
  folders.push('test/demo', 'test/doubles', 'test/emulators', 'test/kit', 'test/support');
  for (const folder of folders) await write(`${folder}/one.ts`, '');
  for (const path of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) await write(path, '{}');
  await write('bootstrap/main.ts', '');
  return { root, main: join(root, 'bootstrap/main.ts'), write, remove: () => rm(root, { recursive: true }) };
}
