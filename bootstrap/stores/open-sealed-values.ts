import type { OpenedValues } from '#adapters/cli/keys-command.ts';
import { approvalContext, keptContext } from '#adapters/stores/sealed-changes.ts';
import { sealedEntered } from '#adapters/stores/sealed-entered-settings.ts';
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
  return {
    values: [
      sealedCredentials(stores.connections, boxFor('tokens', secrets)),
      sealedBodies(stores.webhookInbox, boxFor('inbox', secrets)),
      sealedRows('kept changes', stores.keptChanges, { box: changes, contextOf: keptContext }),
      sealedRows('approvals', stores.approvals, { box: changes, contextOf: approvalContext }),
      sealedEntered(stores.serverFacts, stores.leases, {
        box: boxFor('entered', secrets),
        owner: systemRandom.token(12),
      }),
    ],
    takeSecret: () => takeSecret(stores.serverFacts, secrets[0]),
    close,
  };
}
