import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import process, { loadEnvFile } from 'node:process';
import type { CommandSettings } from '#bootstrap/cli/command.ts';
import { loadConfig } from '#bootstrap/config/load-config.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { withSecretFiles } from '#infrastructure/config/secret-files.ts';

const why = 'A client may start this program in any folder, so relative paths are not accepted.';

/** The settings, and the token of the user to serve; empty without one. */
type StdioSettings = CommandSettings & Readonly<{ token: string }>;

/**
 * Reads the settings and configuration of a program that an MCP client starts. Code and `.env` come only from the
 * folders that the client's own environment names by absolute paths: that of the file in `PORTOLAN_CONFIG`, and
 * `DATA_DIR`; never from the working directory (CONF-011). Throws `StartError` for a relative path.
 */
export async function settingsOfStdio(): Promise<StdioSettings> {
  const { env } = process;
  const config = absolute('PORTOLAN_CONFIG', 'PORTOLAN_CONFIG=/home/ann/portolan/portolan.config.ts');
  if (config !== null) readEnvFile(dirname(config));
  const dataDir = absolute('DATA_DIR', 'DATA_DIR=/home/ann/portolan/data');
  if (dataDir === null)
    throw new StartError(
      `DATA_DIR: name the folder of the server’s data by its absolute path, such as DATA_DIR=/home/ann/portolan/data, in the environment that the client starts this program with. ${why}`,
    );
  readEnvFile(dataDir);
  absolute('VAULT_DIR', 'VAULT_DIR=/home/ann/notes');
  const { DATABASE_URL: url = '' } = env;
  if (url.startsWith('sqlite:') && !isAbsolute(url.slice('sqlite:'.length)))
    throw new StartError(
      `DATABASE_URL: ${url} has to be an absolute path, such as sqlite:/home/ann/portolan.sqlite. ${why}`,
    );
  const checked = await loadConfig({ PORTOLAN_CONFIG: config ?? undefined }, dataDir);
  const settings = readSettings({ ...env, DATA_DIR: dataDir }, checked.services);
  return { settings, config: checked, token: tokenIn(env) };
}

function tokenIn(given: Readonly<Record<string, string | undefined>>): string {
  const { env, errors } = withSecretFiles(given, ['PORTOLAN_TOKEN']);
  if (errors.length > 0) throw new SettingErrors(errors);
  return env['PORTOLAN_TOKEN'] ?? '';
}

/** Returns the variable's path, which has to be absolute; null when it is not given. */
function absolute(name: string, example: string): string | null {
  const path = process.env[name] ?? '';
  if (path === '' || isAbsolute(path)) return path === '' ? null : path;
  throw new StartError(`${name}: ${path} has to be an absolute path, such as ${example}. ${why}`);
}

function readEnvFile(folder: string): void {
  const file = join(folder, '.env');
  if (existsSync(file)) loadEnvFile(file);
}
