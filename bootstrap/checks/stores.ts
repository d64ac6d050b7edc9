import type { KeyCount, SealedValues } from '#adapters/contracts/sealed-values.ts';
import type { Store, Stores } from '#adapters/contracts/stores.ts';
import { sqlStoreNames } from '#adapters/persistence/sql-stores.ts';
import { sealedBodies, sealedCredentials } from '#adapters/stores/sealed-values.ts';
import { type Finding, good, look, wrong } from '#bootstrap/checks/finding.ts';
import { givenStores } from '#bootstrap/config/given-stores.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { vaultFact } from '#bootstrap/vault/vault-folder.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/**
 * The findings for the configuration's stores, and whether any store uses the database. `vaultFolderId` is the id of
 * the team's notes folder; undefined when it is stored in the database.
 */
export type StoresReport = Readonly<{
  findings: readonly Finding[];
  needsDatabase: boolean;
  vaultFolderId: string | null | undefined;
}>;

/**
 * Checks the configuration's stores: that they open, implement their methods and are ready, and that their values can
 * be decrypted.
 */
export async function checkStores(
  settings: Settings,
  { stores: make }: CheckedConfig,
  secret: string | null,
): Promise<StoresReport> {
  if (make === null) return { findings: [], needsDatabase: true, vaultFolderId: undefined };
  const { dataDir } = settings;
  try {
    const given = await givenStores(make, { dataDir, logger: openLogger('silent'), clock: systemClock });
    const secrets = [secret, settings.SECRET_KEY_BASE_PREVIOUS ?? null].filter((each) => each !== null);
    const findings = [...(await Promise.all(Object.entries(given).map(checkStore))), ...(await sealed(given, secrets))];
    const vaultFolderId = await given.serverFacts?.find(vaultFact).catch(() => null);
    await Promise.all([...new Set<Store>(Object.values(given))].map((store) => store.close()));
    return { findings, needsDatabase: sqlStoreNames.some((name) => given[name] === undefined), vaultFolderId };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return {
      findings: [wrong(`Configuration: ${error.message}`, 'mend it')],
      needsDatabase: true,
      vaultFolderId: undefined,
    };
  }
}

async function checkStore([name, store]: readonly [string, Store]): Promise<Finding> {
  try {
    await store.ready();
    return good(`Store ${name}: from the configuration, ready`);
  } catch (error) {
    const why = messageOf(error);
    return wrong(`Store ${name}: from the configuration, not ready (${why})`, 'check its configuration');
  }
}

async function sealed(given: Partial<Stores>, secrets: readonly string[]): Promise<readonly Finding[]> {
  if (secrets.length === 0) return [];
  const kinds: SealedValues[] = [];
  if (given.connections !== undefined) {
    kinds.push(sealedCredentials(given.connections, boxFor('tokens', secrets)));
  }
  if (given.webhookInbox !== undefined) kinds.push(sealedBodies(given.webhookInbox, boxFor('inbox', secrets)));
  return Promise.all(kinds.map(sealedFinding));
}

async function sealedFinding(kind: SealedValues): Promise<Finding> {
  const counts = await kind.count().catch(() => null);
  if (counts === null) return look(`Encrypted ${kind.name}: cannot be counted`, 'make the store work first');
  const sum = (wanted: (count: KeyCount) => boolean) =>
    counts.reduce((total, count) => total + (wanted(count) ? count.values : 0), 0);
  const unknown = sum(({ isKnown }) => !isKnown);
  const former = sum(({ isKnown, isCurrent }) => isKnown && !isCurrent);
  if (unknown > 0) {
    const next = 'set SECRET_KEY_BASE_PREVIOUS to the secret that they were encrypted with';
    return wrong(`Encrypted ${kind.name}: ${unknown} cannot be decrypted`, next);
  }
  if (former > 0) {
    return look(
      `Encrypted ${kind.name}: ${former} are encrypted with the former secret`,
      `${commandLine('keys')} rotate re-encrypts them`,
    );
  }
  return good(`Encrypted ${kind.name}: all ${sum(() => true)} can be decrypted`);
}
