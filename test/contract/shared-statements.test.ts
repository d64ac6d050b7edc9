import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { PostgresTurns } from '#adapters/persistence/postgres-turns.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { countStatements, type StatementCounter } from '#test/support/network/statement-counter.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, patience, type TestDatabase } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
let opened: TestDatabase;
let counter: StatementCounter;
/** The same database, by the counter. */
let database: Database;

beforeAll(async () => {
  if (typeof postgres === 'string') return;
  opened = await openTestPostgres(postgres.url);
  counter = await countStatements(Number(new URL(opened.url).port));
  const url = Object.assign(new URL(opened.url), { port: String(counter.port) }).href;
  database = await openDatabase({ url, entities, migrations, ...patience });
});
afterAll(async () => {
  await database?.close();
  await counter?.close();
  await opened?.close();
  if (typeof postgres !== 'string') await postgres.stop();
});

/** How many statements some work takes. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = counter.count();
  await work();
  return counter.count() - before;
}

const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
const recordOf = (number: number) => ({ service: 'tracker', kind: 'issue', id: String(number) });

describe.skipIf(typeof postgres === 'string')('what a server does at the same time on PostgreSQL', () => {
  it('shares the statements of receipts, claims, links and ends (INBOX-025)', async () => {
    const inbox = new SqlWebhookInbox(database);
    const links = new MikroOrmNoteLinks(database);
    const body = { service: 'tracker', event: 'Issue.create', calls: 'vault', body: '{}' };
    const receive = (number: number) =>
      inbox.keep([{ ...body, deliveryId: String(number), orderKey: `tracker:issue:${number}` }]);
    expect(await statementsOf(() => Promise.all(numbers.map(receive)))).toBe(1);

    let claimed: Awaited<ReturnType<typeof inbox.claim>> = [];
    const claim = async () => {
      claimed = await inbox.claim({ owner: 'a', leaseMs: 60_000, limit: 8 });
    };
    expect(await statementsOf(claim)).toBe(1);
    expect(claimed.map(({ deliveryId }) => deliveryId)).toEqual(numbers.map(String));

    const link = (number: number) => links.keep({ record: recordOf(number), path: `${number}.md`, appliedAt: number });
    expect(await statementsOf(() => Promise.all(numbers.map(link)))).toBe(1);
    expect(await statementsOf(() => Promise.all(numbers.map((number) => links.find(recordOf(number)))))).toBe(1);

    const endings = [
      { kind: 'done', outcome: 'created 1.md' },
      { kind: 'done', outcome: 'created 2.md', isFaulty: true },
      { kind: 'ignored', outcome: 'no reaction' },
      { kind: 'retry', error: 'unavailable', delayMs: 60_000, calls: 'vault' },
      { kind: 'waits', error: null, delayMs: 60_000, calls: 'vault' },
      { kind: 'dead', error: 'rejected' },
    ] as const;
    const [lost] = claimed.slice(7).map((entry) => ({ ...entry, leaseOwner: 'b' }));
    if (lost === undefined) throw new Error('Eight are claimed');
    const end = () => Promise.all(endings.map((ending, index) => inbox.end(claimed[index] ?? lost, ending)));
    expect(await statementsOf(end)).toBe(1);
    const shown = await inbox.list({ limit: 8 });
    const states = shown.map(({ state, attempts, outcome, error, isFaulty, leaseOwner }) => ({
      state,
      attempts,
      says: outcome ?? error,
      isFaulty,
      leaseOwner,
    }));
    const ended = { attempts: 1, isFaulty: false, leaseOwner: null };
    expect(states.toReversed()).toEqual([
      { ...ended, state: 'done', says: 'created 1.md' },
      { ...ended, state: 'done', says: 'created 2.md', isFaulty: true },
      { ...ended, state: 'ignored', says: 'no reaction' },
      { ...ended, state: 'pending', says: 'unavailable' },
      { ...ended, state: 'pending', says: null, attempts: 0 },
      { ...ended, state: 'dead', says: 'rejected' },
      { ...ended, state: 'leased', says: null, leaseOwner: 'a' },
      { ...ended, state: 'leased', says: null, leaseOwner: 'a' },
    ]);
    expect(await inbox.end(lost, { kind: 'done', outcome: 'not its own' })).toBe(false);
  });

  it('shares one transaction for the locks of different notes (INBOX-025)', async () => {
    const turns = new PostgresTurns(database);
    const works = () => Promise.all(numbers.map((number) => turns.brief(`note ${number}`, async () => number)));
    expect(await statementsOf(works)).toBe(3);
  });

  it('waits for what another server has locked, and for nothing else (INBOX-025)', async () => {
    const [over, begun] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const held = new PostgresTurns(opened.database).run('note a', () => {
      begun.resolve();
      return over.promise;
    });
    await begun.promise;
    const turns = new PostgresTurns(database);
    const order: string[] = [];
    const waiting = turns.brief('note a', async () => void order.push('a'));
    await Promise.all(['b', 'c'].map((name) => turns.brief(`note ${name}`, async () => void order.push(name))));
    expect(order).toEqual(['b', 'c']);
    over.resolve('first');
    expect(await held).toBe('first');
    await waiting;
    expect(order).toEqual(['b', 'c', 'a']);
  });

  it('gives no turn, and begins no work, while the database does not answer (INBOX-025)', async () => {
    const failing = { ...database.direct, transactional: () => Promise.reject(new Error('It does not answer')) };
    const turns = new PostgresTurns({ direct: failing });
    const begun: string[] = [];
    const works = ['a', 'b'].map((name) => turns.brief(name, async () => void begun.push(name)));
    const settled = await Promise.allSettled(works);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(begun).toEqual([]);
  });
});
