import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { StartError } from '#bootstrap/first-start.ts';
import { readSettings, type Settings } from '#bootstrap/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/** Reads the settings that the server itself would start with here: the environment, and `.env` in the working directory. */
export function settingsOfCommand(): Settings {
  if (existsSync('.env')) loadEnvFile('.env');
  return readSettings(process.env);
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
