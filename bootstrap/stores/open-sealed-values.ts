import type { OpenedValues } from '#adapters/cli/keys-command.ts';
import { approvalContext, keptContext } from '#adapters/stores/sealed-changes.ts';
import { enteredPlace } from '#adapters/stores/sealed-entered-settings.ts';
import { sealedFactValues } from '#adapters/stores/sealed-fact.ts';
import { addedPlace, clientsPlace } from '#adapters/stores/sealed-remote.ts';
import { sealedBodies, sealedCredentials, sealedRows } from '#adapters/stores/sealed-values.ts';
import type { PortolanConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { openDataDir, openSecrets } from '#bootstrap/start/first-start.ts';
import { takeSecret } from '#bootstrap/start/secret-fingerprint.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

/** Opens the stores with encrypted values, and their encryption with the secrets of the settings. */
export async function openSealedValues(
  settings: Settings,
  make: PortolanConfig['stores'] | null,
): Promise<OpenedValues> {
  await openDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const { stores, close } = await openStores({ settings, stores: make, logger: openLogger('silent') });
  const changes = boxFor('changes', secrets);
  const remote = boxFor('remote', secrets);
  const facts = { facts: stores.serverFacts, leases: stores.leases };
  const owner = systemRandom.token(12);
  return {
    values: [
      sealedCredentials(stores.connections, boxFor('tokens', secrets)),
      sealedBodies(stores.webhookInbox, boxFor('inbox', secrets)),
      sealedRows('kept changes', stores.keptChanges, { box: changes, contextOf: keptContext }),
      sealedRows('approvals', stores.approvals, { box: changes, contextOf: approvalContext }),
      sealedFactValues(facts, enteredPlace, { name: 'provider settings', box: boxFor('entered', secrets), owner }),
      sealedFactValues(facts, addedPlace, { name: 'MCP servers', box: remote, owner }),
      sealedFactValues(facts, clientsPlace, { name: 'clients at MCP servers', box: remote, owner }),
    ],
    takeSecret: () => takeSecret(stores.serverFacts, secrets[0]),
    close,
  };
}
