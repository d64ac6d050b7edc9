import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of `package.json`: of a clone, or of the installed package. */
const packageFolder = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);

/** Whether the built package runs, and not the sources of a clone. */
export const isBuilt = !import.meta.filename.endsWith('.ts');

/** The path of a file of the package itself, such as `package.json`. */
export function packageFile(path: string): string {
  return join(packageFolder, path);
}

/** The path of a file or folder that the program reads, by its path in the sources: the built package has it under `dist`. */
export function programFile(path: string): string {
  return isBuilt ? packageFile(join('dist', path)) : packageFile(path);
}

/** The URL of a module that a thread of its own loads, by its path in the sources without the extension. */
export function programModule(path: string): string {
  return pathToFileURL(programFile(`${path}${isBuilt ? '.js' : '.ts'}`)).href;
}
