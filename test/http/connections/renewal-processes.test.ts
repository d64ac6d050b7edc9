import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { sealedConnections } from '#adapters/stores/sealed-stores.ts';
import type { Connections } from '#application/ports/connections.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { openTestSqlite, type TestDatabase, testBox } from '#test/support/persistence/test-database.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

describe('renewal by several processes on one database', () => {
  let crm: SalesCrmEmulator;
  let store: TestDatabase;
  let connections: Connections;
  let children: ChildProcess[];

  beforeEach(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    store = await openTestSqlite();
    connections = sealedConnections(new MikroOrmConnections(store.database), testBox);
    children = [];
    const { accessToken, refreshToken } = crm.grants.issue();
    const record: TokenRecord = {
      userId: 1,
      service: 'sales_crm',
      authMethod: 'oauth',
      accessToken,
      refreshToken,
      scope: null,
      expiresAt: Date.now(),
      extra: {},
      updatedAt: Date.now() - 3_600_000,
    };
    await connections.save(record, connectedSince(record.updatedAt));
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await store.close();
    await crm.close();
  });

  /** A process that is ready; \`go\` has it ask, and gives what it printed, or null when it was killed. */
  const start = async (callers: number, mode = '') => {
    const script = await testedProgram('test/support/connections/renewal-process.ts');
    const args = [script, store.url, crm.tokenUrl, String(callers), mode];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const closed = once(child, 'close');
    while (!output.includes('ready')) await once(child.stdout, 'data');
    return {
      go: async (): Promise<unknown> => {
        child.stdin.write('go\n');
        await closed;
        return child.signalCode === null ? JSON.parse(output.replace('ready\n', '')) : null;
      },
    };
  };

  it('happens once for a thousand callers in two processes, which all get the new token (RENEW-002)', async () => {
    const processes = await Promise.all([start(500), start(500)]);
    const got = await Promise.all(processes.map((each) => each.go()));
    expect(crm.grants.asked).toBe(1);
    const stored = (await connections.reload(1, 'sales_crm'))?.record;
    expect(got).toEqual([[stored?.accessToken], [stored?.accessToken]]);
    expect(crm.grants.accepts(stored?.accessToken ?? '')).toBe(true);
  });

  it('needs the user, without a loop, when a process was killed between the provider’s answer and the store', async () => {
    const before = await connections.reload(1, 'sales_crm');
    expect(await (await start(1, 'crash')).go()).toBeNull();
    expect(crm.grants.given.renewals).toBe(1);
    expect(await connections.reload(1, 'sales_crm')).toEqual(before);
    // The dead process's lease is run out; waiting for it is tested with a clock of its own.
    await store.database.em.fork().execute('update leases set until = 0');

    const after = await start(20);
    expect(await after.go()).toEqual([expect.stringContaining('a renewal was cut off before its tokens were stored')]);
    expect(crm.grants.asked).toBe(2);
    expect(await connections.reload(1, 'sales_crm')).toMatchObject({ status: { state: 'reconnect' } });

    const later = await start(20);
    expect(await later.go()).toEqual([expect.stringContaining('Connect it again on the page /page')]);
    expect(crm.grants.asked).toBe(2);
  });
});
