import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import { ConfigError } from '#bootstrap/start/first-start.ts';

/** The file names of a configuration in the working directory. */
const configFileNames: readonly string[] = ['portolan.config.ts', 'portolan.config.js', 'portolan.config.mjs'];

/**
 * Loads the configuration from the file that `PORTOLAN_CONFIG` names, or from `portolan.config.ts` (`.js`, `.mjs`) in
 * the working directory; the defaults when there is none. Throws `ConfigError` with a message that starts with the
 * file.
 */
export async function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  folder = process.cwd(),
): Promise<CheckedConfig> {
  const file = fileOf(env, folder);
  if (file === null) return checkConfig({});
  try {
    return checkConfig(await configIn(file));
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`${basename(file)}: ${error.message}`) : error;
  }
}

function fileOf(
  { PORTOLAN_CONFIG: given }: Readonly<Record<string, string | undefined>>,
  folder: string,
): string | null {
  if (given === undefined || given === '') {
    const found = configFileNames.filter((name) => existsSync(resolve(folder, name)));
    if (found.length > 1) {
      throw new ConfigError(`There are ${found.join(' and ')}; keep one of them, or set PORTOLAN_CONFIG to one.`);
    }
    return found[0] === undefined ? null : resolve(folder, found[0]);
  }
  const file = resolve(folder, given);
  if (existsSync(file)) return file;
  throw new ConfigError(`PORTOLAN_CONFIG: there is no file ${file}. Set it to the path of the configuration file.`);
}

async function configIn(file: string): Promise<unknown> {
  const module = await imported(file);
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default;
  throw new ConfigError('it has no default export: export default defineConfig({ … }).');
}

async function imported(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message.split('\n', 1)[0]}` : String(error);
    throw new ConfigError(`it cannot be loaded (${why}).`);
  }
}
