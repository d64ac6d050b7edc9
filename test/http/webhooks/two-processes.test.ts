import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { issueData, issuePayload } from '#test/support/webhooks/webhook-tracker.ts';

const postgres = await startPostgres();
const records = Array.from({ length: 20 }, (_, index) => index);
const turns = [1, 2, 3];

describe('two processes on one database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-two-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function bothDrain({ database, url, close }: TestDatabase): Promise<readonly (readonly string[])[]> {
    const inbox = new SqlWebhookInbox(database);
    for (const turn of turns) await inbox.keep(records.map((record) => entry(record, turn)));
    const file = join(folder, 'effects.txt');
    const children = await Promise.all([startWorker(url, file), startWorker(url, file)]);
    for (const child of children) child.stdin.write('go\n');
    const ends = await Promise.all(children.map((child) => ended(child)));
    expect(ends).toEqual([0, 0]);
    expect(await inbox.counts()).toMatchObject({ done: 60, pending: 0, leased: 0, dead: 0 });
    await close();
    return (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(' Issues/'));
  }

  function expectOnceAndInOrder(effects: readonly (readonly string[])[]): void {
    const paths = effects.map(([, path]) => path);
    expect(new Set(paths).size).toBe(60);
    expect(paths).toHaveLength(60);
    for (const record of records) {
      const own = paths.filter((path) => path?.startsWith(`R${record} `));
      expect(own).toEqual(turns.map((turn) => `R${record} turn ${turn}.md`));
    }
    expect(new Set(effects.map(([child]) => child)).size).toBe(2);
  }

  it('never process the same entry twice, and keep the order of each record: SQLite (INBOX-002, INBOX-009)', async () => {
    expectOnceAndInOrder(await bothDrain(await openTestSqlite()));
  });

  it.skipIf(typeof postgres === 'string')(
    'never process the same entry twice, and keep the order of each record: PostgreSQL (INBOX-002, INBOX-009)',
    async () => {
      if (typeof postgres === 'string') return;
      try {
        expectOnceAndInOrder(await bothDrain(await openTestPostgres(postgres.url)));
      } finally {
        await postgres.stop();
      }
    },
  );
});

function entry(record: number, turn: number) {
  const at = new Date(Date.UTC(2026, 0, 1) + turn * 1000).toISOString();
  const data = issueData({ id: `id-${record}`, identifier: `R${record}`, title: `turn ${turn}`, updatedAt: at });
  return {
    service: 'tracker' as const,
    deliveryId: `${record}-${turn}`,
    orderKey: `tracker:issue:id-${record}`,
    event: 'Issue.update',
    body: JSON.stringify(issuePayload(0, { action: 'update', data })),
  };
}

async function startWorker(url: string, file: string) {
  const child = spawn(process.execPath, [await testedProgram('test/support/webhooks/webhook-worker.ts'), url, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function ended(child: Awaited<ReturnType<typeof startWorker>>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
