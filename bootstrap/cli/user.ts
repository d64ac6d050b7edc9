import { systemTerminal } from '#adapters/cli/system-terminal.ts';
import { runUserCommand, type UserStore } from '#adapters/cli/user-command.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { openDataDir } from '#bootstrap/first-start.ts';
import { allServices } from '#bootstrap/services.ts';
import { listServices } from '#domain/services/service-key.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

// The permissions that can be given are the services.
listServices(allServices);

try {
  process.exitCode = await runUserCommand(process.argv.slice(2), { open, terminal: systemTerminal });
} catch (error) {
  process.exitCode = printError(error);
}
// The rest of standard input is not waited for.
process.stdin.destroy();

async function open(): Promise<UserStore> {
  const settings = settingsOfCommand();
  await openDataDir(settings.dataDir);
  const database = await openDatabase({ url: settings.databaseUrl, entities, migrations });
  return {
    users: new MikroOrmUsers(database),
    passwords: new Argon2Passwords(),
    clock: systemClock,
    close: () => database.close(),
  };
}
