import { Command, CommanderError } from 'commander';
import { commandLine } from '#infrastructure/program/command-line.ts';

/**
 * The dependencies of `backup` and `restore`. Each prints its progress line by line, and throws errors that the user
 * can fix.
 */
type BackupCommandDependencies = Readonly<{
  backup(file: string, options: Readonly<{ withoutKey: boolean }>): Promise<void>;
  restore(file: string): Promise<void>;
}>;

const backupHelp = `
The file holds the users, the connections with their sealed tokens, the deliveries, the notes, the templates and the key: whoever has it can read
them. It is readable by its owner only. Settings (.env) are not in it. The server may keep running.`;

const restoreHelp = `
Restores into an empty DATA_DIR, and into an empty database if DATABASE_URL names one. A backup of SQLite can be restored to PostgreSQL, and vice
versa. Use the settings that the server will start with.`;

/** Runs `backup <file>` or `restore <file>`; returns the exit code. */
export async function runBackupCommand(
  name: 'backup' | 'restore',
  args: readonly string[],
  { backup, restore }: BackupCommandDependencies,
): Promise<number> {
  const command = new Command(commandLine(name))
    .argument('<file>')
    .exitOverride()
    .showHelpAfterError('(--help shows how)');
  if (name === 'backup') {
    command
      .description('Writes everything that a server stores to one file')
      .option(
        '--without-key',
        'leaves out the key, which you then keep separately; restore reads it from SECRET_KEY_BASE',
      )
      .addHelpText('after', backupHelp)
      .action((file: string, { withoutKey }: Readonly<{ withoutKey?: true }>) =>
        backup(file, { withoutKey: withoutKey === true }),
      );
  } else {
    command
      .description('Restores a backup into an empty DATA_DIR and database')
      .addHelpText('after', restoreHelp)
      .action((file: string) => restore(file));
  }
  try {
    await command.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
