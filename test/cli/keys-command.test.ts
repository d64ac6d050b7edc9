import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runKeysCommand } from '#adapters/cli/keys-command.ts';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { sealedConnections, sealedInbox } from '#adapters/stores/sealed-stores.ts';
import { sealedCredentials } from '#adapters/stores/sealed-values.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { refuseOtherSecret, takeSecret } from '#bootstrap/start/secret-fingerprint.ts';
import { openSealedValues } from '#bootstrap/stores/open-sealed-values.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { casesOf, rounds } from '#test/support/form.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

const former = 'the former secret of this installation, long enough';
const current = 'the current secret of this installation, long enough';

let program: string;
beforeAll(async () => {
  program = await testedProgram('bootstrap/cli/keys.ts');
});

describe('npm run keys', () => {
  let folder: string;
  let url: string;
  let database: Database;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-keys-'));
    url = `sqlite:${join(folder, 'portolan.sqlite')}`;
    database = await openDatabase({ url, entities, migrations });
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const boxOf = (secrets: readonly string[], salt: string) =>
    new AesGcmBox(secrets.map((secret) => deriveKey(secret, salt)));
  const connectionsOf = (...secrets: string[]) =>
    sealedConnections(new MikroOrmConnections(database), boxOf(secrets, 'outbound tokens'));
  const inboxOf = (...secrets: string[]) => sealedInbox(new SqlWebhookInbox(database), boxOf(secrets, 'webhook inbox'));
  const recordOf = (userId: number, service: ServiceKey = 'sales_crm'): TokenRecord => ({
    userId,
    service,
    authMethod: 'oauth',
    accessToken: `access ${userId}`,
    refreshToken: userId % 2 === 0 ? null : `refresh ${userId}`,
    scope: null,
    expiresAt: null,
    extra: {},
    updatedAt: 1,
  });
  const start = (words: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [program, ...words], {
      env: { ...programEnvironment(), DATA_DIR: folder, SECRET_KEY_BASE: current, ...env },
    });
    let output = '';
    const heard = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    return { child, output: () => output };
  };
  /** The command as a process of its own. */
  const keysProcess = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { child, output } = start(words, env);
    await once(child, 'close');
    return { code: child.exitCode, output: output() };
  };
  /** The command in this process, over what its program opens. */
  const keys = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const settings = readSettings({ DATA_DIR: folder, SECRET_KEY_BASE: current, ...env });
    const lines: string[] = [];
    const code = await runKeysCommand(words, {
      open: () => openSealedValues(settings, null),
      print: (line) => void lines.push(line),
      signal: new AbortController().signal,
    });
    return { code, output: lines.join('\n') };
  };
  const both = { SECRET_KEY_BASE_PREVIOUS: former };

  it('counts by key and re-encrypts, after which the former secret can be removed (CLI-002)', async () => {
    for (const userId of [1, 2, 3]) await connectionsOf(former).save(recordOf(userId), connectedSince(0));
    await connectionsOf(current).save(recordOf(4), connectedSince(0));
    const delivery = { service: 'tracker', deliveryId: 'd1', orderKey: 'k', event: 'e', body: '{"a":1}' } as const;
    await inboxOf(former).keep([delivery]);

    const before = await keysProcess(['status'], both);
    expect(before.code).toBe(0);
    expect(before.output).toMatch(/connections\n {2}key [0-9a-f]{8} {2}5 {2}\(former\)/);
    expect(before.output).toMatch(/deliveries\n {2}key [0-9a-f]{8} {2}1 {2}\(former\)/);

    const rotated = await keysProcess(['rotate'], both);
    expect(rotated.code).toBe(0);
    expect(rotated.output).toContain('connections: 5 of 5');
    expect(rotated.output).toContain('deliveries: 1 re-encrypted');

    expect((await keys(['status'])).output).not.toMatch(/former|unknown/);
    expect(await connectionsOf(current).list(1)).toMatchObject([{ record: recordOf(1) }]);
    expect(await connectionsOf(current).list(2)).toMatchObject([{ record: recordOf(2) }]);
    expect(await inboxOf(current).body({ seq: 1, service: 'tracker', deliveryId: 'd1' })).toBe('{"a":1}');
    expect((await keys(['rotate'], both)).output).toContain('connections: 0 re-encrypted');
  });

  it('leaves what it cannot read as it is, and says so', async () => {
    await connectionsOf('a secret that is lost, and long enough too').save(recordOf(1), connectedSince(0));
    await connectionsOf(former).save(recordOf(3), connectedSince(0));
    const rotated = await keys(['rotate'], both);
    expect(rotated.code).toBe(1);
    expect(rotated.output).toContain('2 could not be read');
    expect(await connectionsOf(current).find(3, 'sales_crm')).toMatchObject({ record: recordOf(3) });
    const status = await keys(['status'], both);
    expect([status.code, status.output]).toEqual([1, expect.stringContaining('unknown: these cannot be read')]);
  });

  it('makes the current secret the database’s once everything is re-encrypted, or on request (CLI-002)', async () => {
    const facts = new DatabaseServerFacts(database);
    const isCurrent = () =>
      refuseOtherSecret(facts, [current]).then(
        () => true,
        () => false,
      );
    await refuseOtherSecret(facts, [former]);
    expect(await isCurrent()).toBe(false);
    await connectionsOf('a secret that is lost, and long enough too').save(recordOf(1), connectedSince(0));
    expect((await keys(['rotate'], both)).code).toBe(1);
    expect(await isCurrent()).toBe(false);
    const forced = await keys(['rotate', '--force'], both);
    expect([forced.code, forced.output]).toEqual([0, expect.stringContaining('2 could not be read')]);
    expect(await isCurrent()).toBe(true);
    await takeSecret(facts, former);
    await database.em.fork().execute('delete from outbound_tokens');
    expect((await keys(['rotate'], both)).code).toBe(0);
    expect(await isCurrent()).toBe(true);
  });

  /** Connections of several batches, sealed with the former secret. */
  const many = rounds(300, 600);
  const keepMany = async (): Promise<readonly number[]> => {
    const users = Array.from({ length: many }, (_, index) => index + 1);
    const box = boxOf([former], 'outbound tokens');
    await database.em.fork().transactional(async (em) => {
      for (const userId of users) {
        const { accessToken } = recordOf(userId);
        const sealed = box.seal(accessToken, `outbound_tokens/access_token/${userId}/sales_crm`);
        await em.execute(
          `insert into outbound_tokens (updated_at, user_id, service, auth_method, access_token, extra)
           values (1, ?, 'sales_crm', 'oauth', ?, '{}')`,
          [userId, sealed],
        );
      }
    });
    return users;
  };
  const expectAll = async (users: readonly number[], ...secrets: string[]) => {
    const connections = connectionsOf(...secrets);
    // Of each batch of a hundred the first, the last and some between in the short form.
    const looked = casesOf(users, (userId) => userId % 100 < 2 || userId % 9 === 0);
    const found = await Promise.all(looked.map((userId) => connections.find(userId, 'sales_crm')));
    expect(found.map((connection) => connection?.record.accessToken)).toEqual(
      looked.map((userId) => `access ${userId}`),
    );
  };

  it('killed while it rotates, everything can be read, and a second run finishes (CLI-002)', async () => {
    const users = await keepMany();
    const { child, output } = start(['rotate'], both);
    const closed = once(child, 'close');
    while (!output().includes(`connections: 100 of ${many}`)) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await closed;
    await expectAll(users, current, former);
    expect((await keys(['rotate'], both)).code).toBe(0);
    await expectAll(users, current);
  });

  it('broken off between two batches, what is done is done and the rest is as it was', async () => {
    const users = await keepMany();
    const box = boxOf([current, former], 'outbound tokens');
    const credentials = sealedCredentials(new MikroOrmConnections(database), box);
    const breakOff = new AbortController();
    const sofar = await credentials.reencrypt(() => breakOff.abort(), breakOff.signal);
    expect(sofar).toEqual({ reencrypted: 100, unreadable: 0, total: many });
    expect(await credentials.count()).toMatchObject([
      { values: many - 100, isCurrent: false, isKnown: true },
      { values: 100, isCurrent: true, isKnown: true },
    ]);
    await expectAll(users, current, former);
    const rest = await credentials.reencrypt(() => undefined, new AbortController().signal);
    expect(rest).toEqual({ reencrypted: many - 100, unreadable: 0, total: many - 100 });
  });

  it('does not undo what the running server writes meanwhile (CLI-002)', async () => {
    await keepMany();
    const box = boxOf([current, former], 'outbound tokens');
    const writes: Promise<void>[] = [];
    const credentials = sealedCredentials(new MikroOrmConnections(database), box);
    await credentials.reencrypt(() => {
      // While the next batch is read and written, in whatever order the database takes them.
      for (const userId of [101, 150, 250, many - 1]) {
        writes.push(
          connectionsOf(current, former).save(
            { ...recordOf(userId), accessToken: 'renewed meanwhile' },
            connectedSince(0),
          ),
        );
      }
    }, new AbortController().signal);
    await Promise.all(writes);
    for (const userId of [101, 150, 250, many - 1]) {
      expect((await connectionsOf(current).find(userId, 'sales_crm'))?.record.accessToken).toBe('renewed meanwhile');
    }
  });

  it('reports invalid settings and unknown words (CLI-005)', async () => {
    const short = await keysProcess(['status'], { SECRET_KEY_BASE: 'short' });
    expect([short.code, short.output]).toEqual([
      1,
      expect.stringContaining('SECRET_KEY_BASE must be at least 32 bytes'),
    ]);
    expect((await keysProcess(['turn'])).code).toBe(1);
    const help = await keysProcess(['--help']);
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('SECRET_KEY_BASE_PREVIOUS')]);
  });
});
