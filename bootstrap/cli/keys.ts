import { runKeysCommand } from '#adapters/cli/keys-command.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { inboxBody, SealedColumn, tokenColumns } from '#adapters/persistence/sealed-column.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { openDataDir, openSecrets } from '#bootstrap/first-start.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';

const breakOff = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => breakOff.abort());

try {
  process.exitCode = await runKeysCommand(process.argv.slice(2), {
    open,
    print: (line) => process.stdout.write(`${line}\n`),
    signal: breakOff.signal,
  });
} catch (error) {
  process.exitCode = printError(error);
}

async function open() {
  const settings = settingsOfCommand();
  await openDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const boxFor = (salt: string) => new AesGcmBox(secrets.map((secret) => deriveKey(secret, salt)));
  const database = await openDatabase({ url: settings.databaseUrl, entities, migrations });
  const tokens = boxFor('outbound tokens');
  return {
    values: [
      ...tokenColumns.map((column) => new SealedColumn(database, tokens, column)),
      new SealedColumn(database, boxFor('webhook inbox'), inboxBody),
    ],
    close: () => database.close(),
  };
}
