import { z } from 'zod';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { type Ended, endEntry, insertEntries, skipUnreadable } from '#adapters/persistence/inbox-changes.ts';
import { inboxCondition } from '#adapters/persistence/inbox-condition.ts';
import { dueSql, openLanesQuery } from '#adapters/persistence/inbox-due.ts';
import { inboxColumns, toInboxEntry } from '#adapters/persistence/inbox-row.ts';
import { commitsOf, type Writes } from '#adapters/persistence/shared-commits.ts';
import type { Clock } from '#application/ports/clock.ts';
import {
  type BodyChange,
  type Claim,
  type Ending,
  type EntryPlace,
  type InboxEntry,
  type InboxQuery,
  type InboxState,
  inboxStates,
  type NewInboxEntry,
  type StoredBody,
  type WebhookInboxStore,
} from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

/**
 * The maximum number of events of a delivery that shares a statement with others: SQLite binds at most 32,766 values.
 */
const maxToShare = 80;

const rowsSchema = z.array(z.unknown());
const laneRowSchema = z.record(z.string(), z.coerce.number());
const affectedSchema = z.object({ affectedRows: z.number() });
const countSchema = z.object({ state: z.enum(inboxStates), entries: z.coerce.number() });
const callsSchema = z.object({ calls: z.string() });
const timeSchema = z.object({ at: z.coerce.number().int() });
const bodySchema = z.object({ body: z.string().nullable() });
const storedBodySchema = z
  .object({ seq: z.coerce.number(), service: z.string(), delivery_id: z.string(), body: z.string() })
  .transform(({ delivery_id: deliveryId, ...same }) => ({ ...same, deliveryId }));
const place = { table: 'webhook_inbox', keys: ['seq'] } as const;

/**
 * Stores the webhook inbox in the database, bodies as given. Both databases use the same statements, except for two
 * that PostgreSQL needs for concurrent writers: an order key is locked while an entry of it is added, so that `seq` is
 * the commit order within a key, and rows that another process is claiming are skipped.
 */
export class SqlWebhookInbox implements WebhookInboxStore {
  readonly #database: Database;
  readonly #clock: Clock | null;
  readonly #batches: Writes<readonly NewInboxEntry[], number>;
  readonly #endings: Writes<Ended, boolean>;
  readonly #claims: Writes<Claim, readonly InboxEntry[]>;

  /** Without a clock, the database's time is used. */
  constructor(database: Database, clock: Clock | null = null) {
    this.#database = database;
    this.#clock = clock;
    const commits = commitsOf(database);
    this.#batches = commits.writes((em, calls) => this.#insert(em, calls), { isOneStatement: true });
    this.#endings = commits.writes((em, endings) => this.#endAll(em, endings));
    // A power loss also ends the claimant, so claims need not be synced.
    this.#claims = commits.writes((em, claims) => this.#claimAll(em, claims), { isEarly: true });
  }

  async keep(entries: readonly NewInboxEntry[]): Promise<number> {
    if (entries.length <= maxToShare) return this.#batches.add(entries);
    const [kept = 0] = await this.#insert(this.#database.direct, [entries]);
    return kept;
  }

  #insert(em: Statements, calls: readonly (readonly NewInboxEntry[])[]): Promise<readonly number[]> {
    return insertEntries(em, calls, { kind: this.#database.kind, now: this.#now() });
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
    const [row] = await this.#all(sql, values);
    const isOpen = laneRowSchema.parse(row);
    const open = lanes.filter((_, index) => isOpen[`lane_${index}`] === 1);
    return open.length === 0 ? [] : this.#claims.add({ ...claim, lanes: open });
  }

  async #claimAll(em: Statements, claims: readonly Claim[]): Promise<readonly (readonly InboxEntry[])[]> {
    const claimed: (readonly InboxEntry[])[] = [];
    for (const claim of claims) claimed.push(await this.#claimOne(em, claim));
    return claimed;
  }

  async #claimOne(em: Statements, { owner, leaseMs, limit, lanes }: Claim): Promise<readonly InboxEntry[]> {
    const now = this.#now();
    const found = await em.execute(
      `${dueSql({ kind: this.#database.kind, now, limit, lanes })}
       update webhook_inbox set state = 'leased', lease_owner = ?, lease_until = ${now} + ${Math.trunc(leaseMs)},
         attempts = attempts + 1
       where seq in (select seq from due) returning ${inboxColumns}`,
      [owner],
    );
    const rows = rowsSchema.parse(found);
    const entries = this.#entriesOf(rows);
    if (entries.length < rows.length) await skipUnreadable(em, rows, entries, now);
    return entries.toSorted((left, right) => left.seq - right.seq);
  }

  renew(owner: string, leaseMs: number): Promise<number> {
    const until = `${this.#now()} + ${Math.trunc(leaseMs)}`;
    return this.#run(`update webhook_inbox set lease_until = ${until} where state = 'leased' and lease_owner = ?`, [
      owner,
    ]);
  }

  async end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    if (this.#database.kind === 'sqlite') return this.#endings.add({ entry, ending });
    return endEntry(this.#database.direct, { entry, ending }, this.#now());
  }

  async #endAll(em: Statements, endings: readonly Ended[]): Promise<readonly boolean[]> {
    const changed: boolean[] = [];
    for (const ended of endings) changed.push(await endEntry(em, ended, this.#now()));
    return changed;
  }

  async body({ seq }: EntryPlace): Promise<string | null> {
    const rows = await this.#all('select seq, body from webhook_inbox where seq = ?', [seq]);
    return this.#database.rows.read(place, rows, (row) => bodySchema.parse(row).body)[0] ?? null;
  }

  async bodies({ after, limit }: Parameters<WebhookInboxStore['bodies']>[0]): Promise<readonly StoredBody[]> {
    const rows = await this.#all(
      `select seq, service, delivery_id, body from webhook_inbox where body is not null and seq > ?
       order by seq limit ${Math.trunc(limit)}`,
      [after],
    );
    return this.#database.rows.read(place, rows, (row) => storedBodySchema.parse(row));
  }

  rewriteBodies(changes: readonly BodyChange[]): Promise<number> {
    return this.#database.em.fork().transactional(async (em) => {
      let changed = 0;
      for (const { seq, before, after } of changes) {
        const sql = 'update webhook_inbox set body = ? where seq = ? and body = ? returning seq';
        const rows: readonly unknown[] = await em.execute(sql, [after, seq, before]);
        changed += rows.length;
      }
      return changed;
    });
  }

  async find(seq: number): Promise<InboxEntry | null> {
    const rows = await this.#all(`select ${inboxColumns} from webhook_inbox where seq = ?`, [seq]);
    return this.#entriesOf(rows)[0] ?? null;
  }

  async list(query: InboxQuery): Promise<readonly InboxEntry[]> {
    const { where, values } = inboxCondition(query);
    const rows = await this.#all(
      `select ${inboxColumns} from webhook_inbox ${where} order by seq desc limit ${Math.trunc(query.limit)}`,
      values,
    );
    return this.#entriesOf(rows);
  }

  async counts(): Promise<Readonly<Record<InboxState, number>>> {
    const rows = await this.#all('select state, count(*) as entries from webhook_inbox group by state', []);
    const found = rows.flatMap((row) => {
      const count = countSchema.safeParse(row).data;
      return count === undefined ? [] : [[count.state, count.entries] as const];
    });
    return { pending: 0, leased: 0, done: 0, ignored: 0, skipped: 0, dead: 0, ...Object.fromEntries(found) };
  }

  async oldestOpen(): Promise<number | null> {
    const rows = await this.#all(
      "select received_at as at from webhook_inbox where state in ('pending', 'leased') order by seq limit 1",
      [],
    );
    return timeIn(rows);
  }

  async lastReceived(service: ServiceKey): Promise<number | null> {
    // Answered by the index over service and time, however many deliveries there are.
    const rows = await this.#all('select max(received_at) as at from webhook_inbox where service = ?', [service]);
    return timeIn(rows);
  }

  wake(service: ServiceKey, inMs = 0): Promise<number> {
    const at = `${this.#now()} + ${Math.trunc(inMs)}`;
    return this.#run(
      `update webhook_inbox set available_at = ${at} where state = 'pending' and calls = ? and available_at > ${at}`,
      [service],
    );
  }

  async awaited(): Promise<readonly ServiceKey[]> {
    const rows = await this.#all(
      "select distinct calls from webhook_inbox where state = 'pending' and error is not null and calls is not null",
      [],
    );
    return rows.flatMap((row) => callsSchema.safeParse(row).data?.calls ?? []);
  }

  async replay(seq: number): Promise<boolean> {
    const changed = await this.#run(
      `update webhook_inbox set state = 'pending', available_at = ${this.#now()}, attempts = 0, failing_since = null,
         error = null, outcome = null, finished_at = null
       where seq = ? and state in ('done', 'ignored', 'skipped', 'dead') and body is not null`,
      [seq],
    );
    return changed === 1;
  }

  async skip(seq: number): Promise<boolean> {
    const changed = await this.#run(
      `update webhook_inbox set state = 'skipped', finished_at = ${this.#now()} where seq = ? and state in ('pending', 'dead')`,
      [seq],
    );
    return changed === 1;
  }

  prune(finishedBefore: number): Promise<number> {
    return this.#run(
      "update webhook_inbox set body = null where body is not null and finished_at < ? and state in ('done', 'ignored', 'skipped')",
      [finishedBefore],
    );
  }

  #entriesOf(rows: readonly unknown[]): readonly InboxEntry[] {
    return this.#database.rows.read(place, rows, toInboxEntry);
  }

  #now(): string {
    return nowSql(this.#database.kind, this.#clock);
  }

  async #all(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return rowsSchema.parse(await this.#database.direct.execute(sql, [...values]));
  }

  async #run(sql: string, values: readonly unknown[]): Promise<number> {
    const result = await this.#database.direct.execute(sql, [...values], 'run');
    return affectedSchema.parse(result).affectedRows;
  }
}

/** The time in a row, null without one, or when it is none. */
function timeIn([row]: readonly unknown[]): number | null {
  const at: unknown = typeof row === 'object' && row !== null && 'at' in row ? row.at : null;
  return at === null ? null : (timeSchema.safeParse({ at }).data?.at ?? null);
}
