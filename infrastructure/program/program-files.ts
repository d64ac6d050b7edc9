import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of `package.json`, in a clone or in the installed package. */
const packageFolder = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);

/** Whether the built package is running, and not the sources of a clone. */
export const isBuilt = !import.meta.filename.endsWith('.ts');

/** Returns the path of a file of the package, such as `package.json`. */
export function packageFile(path: string): string {
  return join(packageFolder, path);
}

/**
 * Returns the path of a file that the program reads, given its path in the sources; it is under `dist` in the built
 * package.
 */
export function programFile(path: string): string {
  return isBuilt ? packageFile(join('dist', path)) : packageFile(path);
}

/** Returns the URL of a module to load in a worker thread, given its path in the sources without the extension. */
export function programModule(path: string): string {
  return pathToFileURL(programFile(`${path}${isBuilt ? '.js' : '.ts'}`)).href;
}
