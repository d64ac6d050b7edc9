import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noteUse } from '#bootstrap/clone/built-program.ts';
import { buildClone } from '#test/tools/build/build-clone.ts';

/**
 * The file that runs a program of the sources, `bootstrap/main.ts`, in half the processor time: it is put together with what it imports,
 * once for each state of the sources, by whichever test or start comes first. What it prints is what the sources print.
 */
export async function testedProgram(source: string): Promise<string> {
  const folder = await buildClone(resolve('.'), { waits: true });
  if (folder === null) throw new Error('The programs were not built');
  await noteUse(folder);
  return join(folder, source.replace(/\.ts$/, '.mjs'));
}

/** The address by which a file that such a program loads imports one of its modules, that it is not loaded from its source besides. */
export async function testedModule(source: string): Promise<string> {
  return pathToFileURL(await testedProgram(source)).href;
}
