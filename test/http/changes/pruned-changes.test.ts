import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { sqlStores } from '#adapters/persistence/sql-stores.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { startWholeServer } from '#test/support/server/whole-server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-pruned-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withStores<Value>(work: (stores: ReturnType<typeof sqlStores>) => Promise<Value>): Promise<Value> {
  const database = await openDatabase({ url: `sqlite:${join(folder, 'portolan.sqlite')}`, entities, migrations });
  try {
    return await work(sqlStores(database));
  } finally {
    await database.close();
  }
}

const shared = {
  userId: 1,
  grantId: 'G1',
  app: 'App',
  service: 'tracker',
  operation: 'issues.update',
  effect: 'change',
  content: 'sealed',
} as const;

/** Leaves changes and approvals of these ages, and returns those that a server leaves. */
async function keptAfter(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await (await startWholeServer(settings, folder)).stop();
  await withStores(async ({ keptChanges, approvals }) => {
    for (const [id, age] of Object.entries({ now: 0, sixDays: 6 * dayMs, eightDays: 8 * dayMs })) {
      const rest = {
        recordId: null,
        account: '',
        state: 'kept',
        undoneAt: null,
        undoOf: null,
        partOf: null,
        irreversible: null,
      } as const;
      await keptChanges.keep({ ...shared, ...rest, id, at: Date.now() - age });
    }
    for (const [id, hours] of Object.entries({ waiting: -1, ended23h: 23, ended25h: 25, ended8d: 192 })) {
      const rest = { decidedAt: null, digest: id, inputDigest: '', comment: null, outcome: null } as const;
      const expiresAt = Date.now() - hours * hourMs;
      await approvals.keep({ ...shared, ...rest, id, at: 1, expiresAt, state: 'waiting' });
    }
  });
  const server = await startWholeServer(settings, folder);
  const left = async () =>
    withStores(async ({ keptChanges, approvals }) =>
      [...(await keptChanges.list({ limit: 10 })), ...(await approvals.list({ userId: 1, limit: 10 }))].map(
        ({ id }) => id,
      ),
    );
  try {
    await expect.poll(left, { timeout: 30_000 }).not.toContain('ended8d');
    return await left();
  } finally {
    await server.stop();
  }
}

describe('what can no longer be used', () => {
  it('is pruned after seven days, as are approvals that ended then (UNDO-001, UNDO-006)', async () => {
    expect([...(await keptAfter({}))].sort()).toEqual(['ended23h', 'ended25h', 'now', 'sixDays', 'waiting']);
  });

  it('is pruned at once with UNDO_DAYS=0, and approvals a day after they ended (UNDO-001, UNDO-006)', async () => {
    expect([...(await keptAfter({ UNDO_DAYS: '0' }))].sort()).toEqual(['ended23h', 'waiting']);
  });

  it('is for 0 to 365 days, 7 by default (UNDO-001)', () => {
    expect(readSettings({}).UNDO_DAYS).toBe(7);
    expect(readSettings({ UNDO_DAYS: '365' }).UNDO_DAYS).toBe(365);
    expect(() => readSettings({ UNDO_DAYS: '366' })).toThrow(/UNDO_DAYS/);
    expect(() => readSettings({ UNDO_DAYS: '-1' })).toThrow(/UNDO_DAYS/);
  });
});
