import { z } from 'zod';
import { migrations } from '#adapters/persistence/migrations.ts';
import { enteredPlace, openEntered } from '#adapters/stores/sealed-entered-settings.ts';
import { openFact } from '#adapters/stores/sealed-fact.ts';
import { addedPlace } from '#adapters/stores/sealed-remote.ts';
import type { EnteredSetting } from '#application/ports/entered-settings.ts';
import { automationUserFinding } from '#bootstrap/checks/automation-user.ts';
import { type Finding, good, look, wrong } from '#bootstrap/checks/finding.ts';
import { storedFact, storedRows } from '#bootstrap/checks/stored-rows.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { vaultFact } from '#bootstrap/vault/vault-folder.ts';
import { listed } from '#domain/text/listed.ts';
import { NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';
import { openReadOnly, type ReadOnlyDatabase } from '#infrastructure/database/open-read-only.ts';
import { migrationsSql } from '#infrastructure/database/snapshot.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/**
 * A user's vault connection from the database, with its key decrypted; `isOwn` unless it was created from the settings.
 */
export type KeptVault = Readonly<{ baseUrl: string; verifySsl: boolean; key: string; isOwn: boolean }>;

/**
 * The findings, and what other checks need from the database: the automation user's vault, null when there is none or
 * its key cannot be decrypted; and the id of the team's notes folder, null when none was claimed yet.
 */
export type DatabaseReport = Readonly<{
  findings: readonly Finding[];
  vault: KeptVault | null;
  vaultFolderId: string | null;
  /** What administrators entered for the providers; none when it cannot be decrypted. */
  entered: readonly EnteredSetting[];
}>;

/** The report when there is nothing to read. */
const nothing = { vault: null, vaultFolderId: null, entered: [] };

const names = z.array(z.object({ name: z.string() }));
const verdicts = z.array(z.object({ integrity_check: z.string() }));
const keyCount = z.object({ key_id: z.string(), sealed: z.coerce.number() });
const tokenRow = z.object({
  user_id: z.coerce.number(),
  service: z.string(),
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  extra: z.string(),
});
const vaultExtra = z.object({
  base_url: z.url(),
  verify_ssl: z.boolean().default(true),
  from_settings: z.boolean().default(false),
});

/** Checks the database without changing it: its schema, and whether the secrets decrypt its encrypted values. */
export async function checkDatabase(settings: Settings, secret: string | null): Promise<DatabaseReport> {
  const shown = settings.databaseUrl.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:***@');
  const database = await openReadOnly(settings.databaseUrl).catch((error: unknown) => String(error));
  if (database === null) {
    return {
      findings: [look(`Database: ${shown} does not exist yet`, 'the first start creates it')],
      ...nothing,
    };
  }
  if (typeof database === 'string') {
    return {
      findings: [wrong(`Database: ${shown} cannot be opened (${database})`, 'check DATABASE_URL')],
      ...nothing,
    };
  }
  try {
    return await reportOn(database, { settings, secret, shown });
  } catch (error) {
    return {
      findings: [wrong(`Database: ${shown} cannot be read (${String(error)})`, 'check DATABASE_URL')],
      ...nothing,
    };
  } finally {
    await database.close();
  }
}

async function reportOn(
  database: ReadOnlyDatabase,
  { settings, secret, shown }: Readonly<{ settings: Settings; secret: string | null; shown: string }>,
): Promise<DatabaseReport> {
  const applied = await appliedChanges(database);
  const schema = schemaFinding(applied, shown);
  const isReadable = tablesAreThere(applied);
  if (!isReadable) return { findings: [schema], ...nothing };
  const damage = settings.databaseUrl.startsWith('sqlite:') ? await damageIn(database) : null;
  if (damage !== null) {
    const finding = wrong(`Database: ${shown} is damaged (${damage})`, 'stop the server, and restore a backup');
    return { findings: [finding], ...nothing };
  }
  const secrets = [secret, settings.SECRET_KEY_BASE_PREVIOUS ?? null].filter((each) => each !== null);
  const connections = await storedRows(database, 'outbound_tokens', ['*']);
  const sealed = await sealedFinding(database, secrets, connections);
  const hasFacts = applied.includes('0006-server-facts');
  const vaultFolderId = hasFacts ? await storedFact(database, vaultFact) : null;
  const sealedEntered = hasFacts ? await storedFact(database, enteredPlace.fact) : null;
  const canOpen = sealedEntered !== null && secrets.length > 0;
  const automation = await automationUserFinding(database, settings);
  const sealedAdded = hasFacts ? await storedFact(database, addedPlace.fact) : null;
  const added = sealedAdded === null ? [] : addedServersFinding(sealedAdded, secrets);
  return {
    findings: [schema, sealed, ...automation, ...added],
    vault: keptVault(connections, settings, secrets),
    vaultFolderId,
    entered: canOpen ? openEntered(sealedEntered, boxFor('entered', secrets)) : [],
  };
}

/** Says which MCP servers administrators added; or that they cannot be decrypted, so that none of them is used. */
function addedServersFinding(sealed: string, secrets: readonly string[]): readonly Finding[] {
  const added = secrets.length === 0 ? null : openFact(sealed, boxFor('remote', secrets), addedPlace);
  if (added === null) {
    return [wrong('MCP servers: those that were added cannot be decrypted', 'set SECRET_KEY_BASE_PREVIOUS')];
  }
  const named = added.map(({ key, url }) => `${key} at ${url}`).join(', ');
  return named === '' ? [] : [good(`MCP servers: ${named} (added on /setup/servers)`)];
}

/** Returns the first damage that SQLite finds in the whole file; null when there is none. */
async function damageIn(database: ReadOnlyDatabase): Promise<string | null> {
  const [first] = verdicts.parse(await database.all('pragma integrity_check(1)'));
  return first === undefined || first.integrity_check === 'ok'
    ? null
    : first.integrity_check.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the names of the schema changes that ran; empty when the database is new. */
async function appliedChanges(database: ReadOnlyDatabase): Promise<readonly string[]> {
  const rows = await database.all(migrationsSql).catch(() => []);
  return names.parse(rows).map(({ name }) => name);
}

/** Whether the tables that are checked, those of the first schema change, exist. */
function tablesAreThere(applied: readonly string[]): boolean {
  return applied.includes(migrations[0]?.name ?? '');
}

function schemaFinding(applied: readonly string[], shown: string): Finding {
  const known = migrations.map(({ name }) => name);
  const later = applied.filter((name) => !known.includes(name));
  if (later.length > 0) {
    return wrong(`Database: ${shown} was made by a newer version (${later.join(', ')})`, 'run that version');
  }
  const missing = known.filter((name) => !applied.includes(name));
  return missing.length === 0
    ? good(`Database: ${shown} opens, with all ${known.length} schema changes`)
    : look(
        `Database: ${shown} lacks ${missing.length} schema changes (${missing.join(', ')})`,
        'the next start applies them',
      );
}

/** The columns with encrypted values, by the kind of their key. */
const sealedColumns = [
  ['tokens', 'outbound_tokens', 'access_token'],
  ['tokens', 'outbound_tokens', 'refresh_token'],
  ['inbox', 'webhook_inbox', 'body'],
] as const;

/** Checks whether the secrets decrypt the encrypted values, by the key id in each. */
async function sealedFinding(
  database: ReadOnlyDatabase,
  secrets: readonly string[],
  connections: readonly unknown[],
): Promise<Finding> {
  const counts = { current: 0, former: 0, unknown: 0 };
  const unknown = new Set<string>();
  for (const [kind, table, column] of sealedColumns) {
    const box = secrets.length === 0 ? null : boxFor(kind, secrets);
    const rows = await database.all(
      `select substr(${column}, 4, 8) as key_id, count(*) as sealed from ${table} where ${column} is not null group by 1`,
    );
    for (const row of rows) {
      // Bytes in the place of a text have no key.
      const { key_id: keyId, sealed } = keyCount.safeParse(row).data ?? { key_id: 'unreadable', sealed: 1 };
      if (keyId === box?.keyId) counts.current += sealed;
      else if (box?.knows(keyId) === true) counts.former += sealed;
      else if (/^[0-9a-f]{8}$/.test(keyId)) {
        counts.unknown += sealed;
        unknown.add(keyId);
      }
    }
  }
  if (counts.unknown > 0) {
    const keys = [...unknown].join(', ');
    const next = 'set SECRET_KEY_BASE_PREVIOUS to the secret that they were encrypted with';
    return wrong(`Encrypted values: ${counts.unknown} cannot be decrypted (key ${keys})`, next);
  }
  const damaged = secrets.length === 0 ? [] : damagedConnections(connections, secrets);
  if (damaged.length > 0) {
    const which = listed(damaged.slice(0, 10));
    return wrong(
      `Encrypted values: the credentials of ${damaged.length} connections are damaged: ${which}`,
      'connect these again',
    );
  }
  if (counts.former > 0) {
    return look(
      `Encrypted values: ${counts.former} are encrypted with the former secret`,
      `${commandLine('keys')} rotate re-encrypts them`,
    );
  }
  return good(`Encrypted values: all ${counts.current} can be decrypted`);
}

/** Returns the connections whose credentials do not open with the key that sealed them. */
function damagedConnections(connections: readonly unknown[], secrets: readonly string[]): readonly string[] {
  const box = boxFor('tokens', secrets);
  return connections.flatMap((row) => {
    const found = tokenRow.safeParse(row).data;
    if (found === undefined) return ['one that cannot be read'];
    const { user_id: userId, service, access_token: access, refresh_token: refresh } = found;
    const texts = [['access_token', access] as const, ['refresh_token', refresh] as const];
    const isDamaged = texts.some(([column, text]) => {
      try {
        if (text !== null) box.open(text, `outbound_tokens/${column}/${userId}/${service}`);
        return false;
      } catch (error) {
        return error instanceof NotOpened && error.reason === 'damaged';
      }
    });
    return isDamaged ? [`${service} of user ${userId}`] : [];
  });
}

/** Returns the automation user's vault connection; null when there is none, or its key cannot be decrypted. */
function keptVault(
  connections: readonly unknown[],
  { AUTOMATION_USER_ID: userId }: Settings,
  secrets: readonly string[],
): KeptVault | null {
  const row = connections
    .map((one) => tokenRow.safeParse(one).data)
    .find((one) => one?.service === 'vault' && one.user_id === userId);
  if (row === undefined || secrets.length === 0) return null;
  const box = boxFor('tokens', secrets);
  try {
    const { base_url, verify_ssl, from_settings } = vaultExtra.parse(JSON.parse(row.extra));
    const key = box.open(row.access_token, `outbound_tokens/access_token/${userId}/vault`);
    return { baseUrl: base_url, verifySsl: verify_ssl, key, isOwn: !from_settings };
  } catch {
    return null;
  }
}
