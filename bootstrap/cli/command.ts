import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { loadConfig } from '#bootstrap/config/load-config.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import { StartError } from '#bootstrap/first-start.ts';
import { readSettings, type Settings } from '#bootstrap/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/** What the server itself would start with here. */
export type CommandSettings = Readonly<{ settings: Settings; config: CheckedConfig }>;

/**
 * Reads what the server itself would start with here: the environment, `.env` in the working directory, and the
 * configuration, whose services have settings of their own.
 */
export async function settingsOfCommand(): Promise<CommandSettings> {
  const config = await configOfCommand();
  return { settings: readSettings(process.env, config.services), config };
}

/** Reads the configuration alone: also where the settings are faulty. */
export async function configOfCommand(): Promise<CheckedConfig> {
  if (existsSync('.env')) loadEnvFile('.env');
  return loadConfig(process.env);
}

/** Prints an error that a person can correct to standard error, and returns the exit code; throws any other. */
export function printError(error: unknown): 1 {
  if (error instanceof SettingErrors) {
    const lines = error.errors.map(({ variable, message }) => `  ${variable} ${message}`);
    process.stderr.write(`The settings do not fit:\n${lines.join('\n')}\n`);
    return 1;
  }
  if (!(error instanceof StartError || error instanceof DatabaseNotOpened || error instanceof DatabaseUnavailable)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  return 1;
}
