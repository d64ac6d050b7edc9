import { runKeysCommand } from '#adapters/cli/keys-command.ts';
import { SealedCredentials } from '#adapters/connections/sealed-credentials.ts';
import { SealedBodies } from '#adapters/stores/sealed-bodies.ts';
import { printError, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { openDataDir, openSecrets } from '#bootstrap/first-start.ts';
import { takeSecret } from '#bootstrap/secret-fingerprint.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

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
  const { settings, config } = await settingsOfCommand();
  await openDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const { stores, close } = await openStores({ settings, stores: config.stores, logger: openLogger('silent') });
  return {
    values: [
      new SealedCredentials(stores.connections, boxFor('tokens', secrets)),
      new SealedBodies(stores.webhookInbox, boxFor('inbox', secrets)),
    ],
    takeSecret: () => takeSecret(stores.serverFacts, secrets[0]),
    close,
  };
}
