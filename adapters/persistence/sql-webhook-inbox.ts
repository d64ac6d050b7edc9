import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import { Batches } from '#adapters/persistence/batches.ts';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { type Ended, endEntries, insertEntries, skipUnreadable } from '#adapters/persistence/inbox-changes.ts';
import { faultyCount, stateCounts } from '#adapters/persistence/inbox-counts.ts';
import { dueSql, openLanesQuery } from '#adapters/persistence/inbox-due.ts';
import { entryColumns, InboxLists, isFaultyText, toEntry } from '#adapters/persistence/inbox-lists.ts';
import { InboxRow } from '#adapters/persistence/schema/webhook-inbox.ts';
import { commitsOf, type Writes } from '#adapters/persistence/shared-commits.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  BodyChange,
  Claim,
  Ending,
  EntryPlace,
  InboxEntry,
  InboxFinds,
  InboxQuery,
  InboxSearch,
  InboxState,
  NewInboxEntry,
  StoredBody,
  WebhookInboxStore,
} from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';
import { Table } from '#infrastructure/database/table.ts';

/**
 * The maximum number of events of a delivery that shares a statement with others: SQLite binds at most 32,766 values.
 */
const maxToShare = 80;

/** The maximum number of bodies that are read with one statement. */
const maxBodiesAtOnce = 32;

const rowsSchema = z.array(z.unknown());
const laneRowSchema = z.record(z.string(), z.coerce.number());

const finished = ['done', 'ignored', 'skipped'] as const;
/** How many bodies are dropped with one statement, among which others have their turn. */
const bodiesOfPart = 200;
/** The states of an entry that is still to be processed. */
const openStates = ['pending', 'leased'] as const;
/**
 * For the bodies that are pruned. SQLite would find all finished entries by their state, and sort them; no index has
 * this text.
 */
const isFinished = "state || '' in ('done', 'ignored', 'skipped')";
/** What a replay resets. */
const fresh = { attempts: 0, failingSince: null, error: null, outcome: null, finishedAt: null, isFaulty: false };

/**
 * Stores the webhook inbox in the database, bodies as given. Both databases use the same statements, except for two
 * that PostgreSQL needs for concurrent writers: an order key is locked while an entry of it is added, so that `seq` is
 * the commit order within a key, and rows that another process is claiming are skipped.
 */
export class SqlWebhookInbox implements WebhookInboxStore {
  readonly #database: Database;
  readonly #clock: Clock | null;
  readonly #entries;
  readonly #columns;
  readonly #lists;
  readonly #batches: Writes<readonly NewInboxEntry[], number>;
  readonly #endings: Writes<Ended, boolean>;
  readonly #claims: Writes<Claim, readonly InboxEntry[]>;
  readonly #reads = new Batches((seqs: readonly number[]) => this.#bodiesOf(seqs), maxBodiesAtOnce);

  /** Without a clock, the database's time is used. */
  constructor(database: Database, clock: Clock | null = null) {
    this.#database = database;
    this.#clock = clock;
    this.#entries = new Table(database, InboxRow);
    this.#columns = entryColumns(this.#entries);
    this.#lists = new InboxLists(database);
    const commits = commitsOf(database);
    this.#batches = commits.writes((em, calls) => this.#insert(em, calls), { isOneStatement: true });
    this.#endings = commits.writes((em, endings) => endEntries(em, endings, this.#place()), { isOneStatement: true });
    // A power loss also ends the claimant, so claims need not be synced.
    this.#claims = commits.writes((em, claims) => this.#claimAll(em, claims), { isEarly: true });
  }

  async keep(entries: readonly NewInboxEntry[]): Promise<number> {
    if (entries.length <= maxToShare) return this.#batches.add(entries);
    const [kept = 0] = await this.#insert(this.#database.direct, [entries]);
    return kept;
  }

  #insert(em: Statements, calls: readonly (readonly NewInboxEntry[])[]): Promise<readonly number[]> {
    return insertEntries(em, calls, this.#place());
  }

  async claim(claim: Claim): Promise<readonly InboxEntry[]> {
    const { lanes } = claim;
    if (lanes?.length === 0) return [];
    if (this.#database.kind === 'sqlite') return this.#claimInFile(claim);
    const [claimed = []] = await this.#claimAll(this.#database.direct, [claim]);
    return claimed;
  }

  /** Claims from the lanes that have open entries: querying the others would cost more than the rest of a claim. */
  async #claimInFile({ lanes, ...claim }: Claim): Promise<readonly InboxEntry[]> {
    if (lanes === undefined) return this.#claims.add(claim);
    const { sql, values } = openLanesQuery(lanes);
    const [row] = rowsSchema.parse(await this.#database.direct.execute(sql, [...values]));
    const has = laneRowSchema.parse(row);
    const open = lanes.filter((_, index) => has[`lane_${index}`] === 1);
    return open.length === 0 ? [] : this.#claims.add({ ...claim, lanes: open });
  }

  async #claimAll(em: Statements, claims: readonly Claim[]): Promise<readonly (readonly InboxEntry[])[]> {
    const claimed: (readonly InboxEntry[])[] = [];
    for (const claim of claims) claimed.push(await this.#claimOne(em, claim));
    return claimed;
  }

  async #claimOne(em: Statements, { owner, leaseMs, limit, lanes }: Claim): Promise<readonly InboxEntry[]> {
    const now = this.#now();
    const { kind } = this.#database;
    const due = dueSql({ kind, now, limit, lanes });
    // PostgreSQL would read the whole table if it expected many rows, of which it knows no limit.
    const isDue = kind === 'sqlite' ? 'in (select seq from due)' : '= any(array(select seq from due))';
    const found = await em.execute(
      `${due.sql}
       update webhook_inbox set state = 'leased', lease_owner = ?, lease_until = ${now} + cast(? as bigint),
         attempts = attempts + 1
       where seq ${isDue} returning ${this.#entries.fields(this.#columns)}`,
      // A value, since the lease follows the load, and a text that changes would be planned each time.
      [...due.values, owner, Math.trunc(leaseMs)],
    );
    const rows = rowsSchema.parse(found);
    const entries = this.#entries.read(rows, this.#columns).map(toEntry);
    if (entries.length < rows.length) await skipUnreadable(em, rows, entries, now);
    return entries.toSorted((left, right) => left.seq - right.seq);
  }

  renew(owner: string, leaseMs: number): Promise<number> {
    const leaseUntil = raw(`${this.#now()} + ${Math.trunc(leaseMs)}`);
    return this.#entries.update({ state: 'leased', leaseOwner: owner }, { leaseUntil });
  }

  end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    return this.#endings.add({ entry, ending });
  }

  body({ seq }: EntryPlace): Promise<string | null> {
    return this.#reads.add(seq);
  }

  /** Reads the bodies of entries, null for each that has none. */
  async #bodiesOf(seqs: readonly number[]): Promise<readonly (string | null)[]> {
    const query = this.#entries.qb().select(['seq', 'body']);
    const rows = await this.#entries.some(query.where({ seq: { $in: [...seqs] } }), ['seq', 'body']);
    const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
    return seqs.map((seq) => bodies.get(seq) ?? null);
  }

  async bodies({ after, limit }: Parameters<WebhookInboxStore['bodies']>[0]): Promise<readonly StoredBody[]> {
    const names = ['seq', 'service', 'deliveryId', 'body'] as const;
    const query = this.#entries
      .qb()
      .select([...names])
      .where({ body: { $ne: null }, seq: { $gt: after } });
    const rows = await this.#entries.some(query.orderBy({ seq: 'asc' }).limit(Math.trunc(limit)), names);
    return rows.map((row) => ({ ...row, body: row.body ?? '' }));
  }

  rewriteBodies(changes: readonly BodyChange[]): Promise<number> {
    return this.#database.em.fork().transactional(async (em) => {
      let changed = 0;
      for (const { seq, before, after } of changes) {
        changed += await em.nativeUpdate(InboxRow, { seq, body: before }, { body: after });
      }
      return changed;
    });
  }

  async find(seq: number): Promise<InboxEntry | null> {
    const [row] = await this.#entries.some(
      this.#entries
        .qb()
        .select([...this.#columns])
        .where({ seq }),
      this.#columns,
    );
    return row === undefined ? null : toEntry(row);
  }

  list(query: InboxQuery): Promise<readonly InboxEntry[]> {
    return this.#lists.list(query);
  }

  search(query: InboxSearch): Promise<InboxFinds> {
    return this.#lists.search(query);
  }

  counts(): Promise<Readonly<Record<InboxState, number>>> {
    return stateCounts(this.#database);
  }

  faulty(): Promise<number> {
    return faultyCount(this.#database);
  }

  async oldestOpen(): Promise<number | null> {
    // One state after the other: SQLite would sort all that is open.
    const first = openStates.map((state) => {
      const query = this.#entries.qb().select(['seq', 'receivedAt']).where({ state }).orderBy({ seq: 'asc' });
      return this.#entries.some(query.limit(1), ['seq', 'receivedAt']);
    });
    const [oldest] = (await Promise.all(first)).flat().toSorted((left, right) => left.seq - right.seq);
    return oldest?.receivedAt ?? null;
  }

  async lastReceived(service: ServiceKey): Promise<number | null> {
    // Answered by the index over service and time, however many deliveries there are.
    const query = this.#entries.qb().select(['seq', 'receivedAt']).where({ service });
    const [row] = await this.#entries.some(query.orderBy({ receivedAt: 'desc' }).limit(1), ['receivedAt']);
    return row?.receivedAt ?? null;
  }

  wake(service: ServiceKey, inMs = 0): Promise<number> {
    const availableAt = raw(`${this.#now()} + ${Math.trunc(inMs)}`);
    const isLater = { state: 'pending', calls: service, availableAt: { $gt: availableAt } } as const;
    return this.#entries.update(isLater, { availableAt });
  }

  async awaited(): Promise<readonly ServiceKey[]> {
    const query = this.#entries.qb().select('calls', true);
    query.where({ state: 'pending', error: { $ne: null }, calls: { $ne: null } });
    return (await this.#entries.some(query, ['calls'])).flatMap(({ calls }) => calls ?? []);
  }

  async replay(seq: number): Promise<boolean> {
    const state = { $in: [...finished, 'dead' as const] };
    return (await this.#entries.update({ seq, state, body: { $ne: null } }, this.#again())) === 1;
  }

  async replayFailed({ only, limit }: Parameters<WebhookInboxStore['replayFailed']>[0]): Promise<number> {
    const dead = only === 'faulty' ? [] : await this.#oldest({ state: 'dead' }, limit);
    const faulty = only === 'dead' ? [] : await this.#oldest(isFaultyText, limit);
    const seqs = new Set([...dead, ...faulty].toSorted((left, right) => left - right).slice(0, limit));
    const kept = { body: { $ne: null } } as const;
    const among = (found: readonly number[]) => ({ $in: found.filter((seq) => seqs.has(seq)) });
    // Two statements, since one over both kinds would read all that is done.
    const again = await this.#entries.update({ seq: among(dead), state: 'dead', ...kept }, this.#again());
    const isFaulty = { state: 'done' as const, isFaulty: true };
    return again + (await this.#entries.update({ seq: among(faulty), ...isFaulty, ...kept }, this.#again()));
  }

  /** Returns the first of the entries whose bodies are kept. */
  async #oldest(where: Readonly<{ state: 'dead' }> | string, limit: number): Promise<readonly number[]> {
    const query = this.#entries.qb().select(['seq']);
    if (typeof where === 'string') query.where(where);
    else query.where(where);
    query.andWhere({ body: { $ne: null } }).orderBy({ seq: 'asc' });
    return (await this.#entries.some(query.limit(Math.trunc(limit)), ['seq'])).map(({ seq }) => seq);
  }

  #again() {
    return { ...fresh, state: 'pending' as const, availableAt: raw(this.#now()) };
  }

  async skip(seq: number): Promise<boolean> {
    const values = { state: 'skipped' as const, finishedAt: raw(this.#now()) };
    return (await this.#entries.update({ seq, state: { $in: ['pending', 'dead'] } }, values)) === 1;
  }

  async prune(finishedBefore: number): Promise<number> {
    let [pruned, after] = [0, 0];
    for (;;) {
      const old = await this.#finished(after, finishedBefore);
      const last = old.at(-1)?.finishedAt;
      if (last == null) return pruned;
      const seq = { $in: old.map((entry) => entry.seq) };
      pruned += await this.#entries.update({ seq, state: { $in: [...finished] } }, { body: null });
      // Those that are dead keep their bodies: the next part begins behind them.
      after = last;
      if (old.length < bodiesOfPart) return pruned;
    }
  }

  /** Returns entries that finished in this time and whose bodies are kept, in the order in which they finished. */
  #finished(from: number, until: number) {
    const query = this.#entries.qb().select(['seq', 'finishedAt']);
    query.where({ body: { $ne: null }, finishedAt: { $gte: from, $lt: until } }).andWhere(isFinished);
    const first = query.orderBy({ finishedAt: 'asc', seq: 'asc' }).limit(bodiesOfPart);
    return this.#entries.some(first, ['seq', 'finishedAt']);
  }

  #place() {
    return { kind: this.#database.kind, now: this.#now() };
  }

  #now(): string {
    return nowSql(this.#database.kind, this.#clock);
  }
}
