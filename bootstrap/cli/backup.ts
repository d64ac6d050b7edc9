import { resolve } from 'node:path';
import { runBackupCommand } from '#adapters/cli/backup-command.ts';
import { makeBackup } from '#bootstrap/backup/make-backup.ts';
import { restoreBackup } from '#bootstrap/backup/restore-backup.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { givenStores } from '#bootstrap/config/given-stores.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Prints progress but for the names of tables, which say nothing to who backs up; they are counted at the end. */
const onProgress = (line: string): void => void (line.startsWith('database: ') || print(line));

// `backup.ts backup <file>` and `backup.ts restore <file>`.
const [name, ...args] = process.argv.slice(2);
try {
  process.exitCode = await runBackupCommand(name === 'restore' ? name : 'backup', args, { backup, restore });
} catch (error) {
  process.exitCode = printError(error);
}

async function backup(file: string, { withoutKey }: Readonly<{ withoutKey: boolean }>): Promise<void> {
  const { settings, config } = await settingsOfCommand();
  const { dataDir } = settings;
  const given = await givenStores(config.stores, { dataDir, logger: openLogger('silent'), clock: systemClock });
  for (const store of new Set(Object.values(given))) await store.close();
  const { tables, notes, hasKey } = await makeBackup(resolve(file), {
    settings,
    withoutKey,
    onProgress,
    now: new Date(),
  });
  print(`Backed up to ${file}: ${tables} tables, ${notes} notes, the templates${hasKey ? ' and the key' : ''}.`);
  if (!hasKey) print('Not in the backup: the key (SECRET_KEY_BASE). Keep it: encrypted values need it.');
  if (settings.VAULT_URL !== undefined) print('Not in the backup: the notes in the notes app at VAULT_URL.');
  const names = Object.keys(given);
  if (names.length > 0) print(`Not in the backup: stores of the configuration: ${names.join(', ')}.`);
}

async function restore(file: string): Promise<void> {
  const { settings } = await settingsOfCommand();
  const { createdAt, version, rows, notes } = await restoreBackup(resolve(file), { settings, onProgress });
  print(
    `Restored the backup of ${createdAt} (version ${version}): ${rows} rows, ${notes} notes. The server can be started.`,
  );
}
