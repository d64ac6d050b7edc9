import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { type UnreadableRow, unreadableText } from '#adapters/contracts/unreadable-rows.ts';
import { loadConfig } from '#bootstrap/config/load-config.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import { readSettings, type Settings } from '#bootstrap/config/settings.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/** The settings and configuration that the server would start with in this environment. */
export type CommandSettings = Readonly<{ settings: Settings; config: CheckedConfig }>;

/**
 * Reads the settings and configuration that the server would start with: the environment, `.env` in the working
 * directory, and the configuration, whose services add settings of their own.
 */
export async function settingsOfCommand(): Promise<CommandSettings> {
  const config = await configOfCommand();
  return { settings: readSettings(process.env, config.services), config };
}

/** Reads only the configuration; works with invalid settings too. */
export async function configOfCommand(): Promise<CheckedConfig> {
  if (existsSync('.env')) loadEnvFile('.env');
  return loadConfig(process.env);
}

/** Prints to standard error that a stored row is left out, since it cannot be read. */
export function printUnreadable(row: UnreadableRow): void {
  process.stderr.write(`Skipped, unreadable: ${unreadableText(row)}\n`);
}

/** Prints a user-correctable error to standard error and returns the exit code; rethrows any other. */
export function printError(error: unknown): 1 {
  if (error instanceof SettingErrors) {
    const lines = error.errors.map(({ variable, message }) => `  ${variable} ${message}`);
    process.stderr.write(`Invalid settings:\n${lines.join('\n')}\n`);
    return 1;
  }
  if (!(error instanceof StartError || error instanceof DatabaseNotOpened || error instanceof DatabaseUnavailable)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  return 1;
}
