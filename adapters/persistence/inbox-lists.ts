import { indexedFilter, otherFilter, searchedColumns, textFilter } from '#adapters/persistence/inbox-filters.ts';
import { InboxRow } from '#adapters/persistence/schema/webhook-inbox.ts';
import { receivedBetween } from '#adapters/persistence/time-bounds.ts';
import type { InboxEntry, InboxFinds, InboxQuery, InboxSearch } from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table, type TableRow } from '#infrastructure/database/table.ts';

type Row = TableRow<typeof InboxRow>;
/** Where a search ends. */
const place = ['seq', 'receivedAt'] as const;

type InboxTable = Pick<Table<Row>, 'but'>;

/** As text, since SQLite then uses the index of such entries. */
export const isFaultyText = 'is_faulty = 1';

/** Lists and searches the entries of the inbox in the database. */
export class InboxLists {
  readonly #database: Database;
  readonly #entries;
  readonly #columns;

  constructor(database: Database) {
    this.#database = database;
    this.#entries = new Table(database, InboxRow);
    this.#columns = entryColumns(this.#entries);
  }

  /** Lists the matching entries, the newest first. */
  async list({ limit, ...query }: InboxQuery): Promise<readonly InboxEntry[]> {
    const latest = this.#matching(this.#columns, query).limit(Math.trunc(limit));
    return (await this.#entries.some(latest, this.#columns)).map(toEntry);
  }

  /** Searches the latest of the matching entries. */
  async search({ text, most, services, limit, ...query }: InboxSearch): Promise<InboxFinds> {
    // No index helps to find a text anywhere in a column; of those that are looked at no more is read than that.
    const looked = this.#matching(['seq', ...searchedColumns], query).limit(Math.trunc(most));
    const found = this.#entries.qb().select(['seq']).from(looked, 'looked');
    found.where(textFilter(text, this.#database.kind)).orderBy({ seq: 'desc' }).limit(Math.trunc(limit));
    const page = this.#entries.qb().select([...this.#columns]);
    page.where({ seq: { $in: found } }).orderBy({ seq: 'desc' });
    const named = query.before === undefined ? await this.#ofIds(text, services, query) : [];
    const others = (await this.#entries.readAside(page, this.#columns)).map(toEntry);
    const last = others.length < limit ? undefined : others.at(-1);
    const seqs = new Set(named.map(({ seq }) => seq));
    return {
      entries: [...named, ...others.filter(({ seq }) => !seqs.has(seq))],
      searchedTo: last ?? (await this.#placeOf(query, Math.trunc(most))),
    };
  }

  /** Returns the entry of that number among those that match, if there are more; else null. */
  async #placeOf(query: Omit<InboxQuery, 'limit'>, number: number): Promise<InboxFinds['searchedTo']> {
    const { before, ...filter } = query;
    const near = Object.keys(given(filter)).length === 0 ? await this.#near(before, number) : null;
    if (near !== null) return near;
    const at = this.#matching(place, query).limit(2);
    const [found, next] = await this.#entries.readAside(at.offset(number - 1), place);
    return found === undefined || next === undefined ? null : found;
  }

  /**
   * Returns the entry of that number before `before`, or a later one where numbers are missing, if there are more; else null. It
   * is not counted to, since that reads all of them.
   */
  async #near(before: number | undefined, number: number): Promise<InboxFinds['searchedTo']> {
    const last = before === undefined ? '(select max(seq) from webhook_inbox)' : String(Math.trunc(before) - 1);
    const from = this.#entries
      .qb()
      .select([...place])
      .where(`seq > ${last} - ${number}`);
    const [found] = await this.#entries.readAside(from.orderBy({ seq: 'asc' }).limit(1), place);
    if (found === undefined) return null;
    const older = this.#entries
      .qb()
      .select(['seq'])
      .where({ seq: { $lt: found.seq } });
    const [more] = await this.#entries.readAside(older.limit(1), ['seq']);
    return more === undefined ? null : found;
  }

  /** Returns the matching entries that have this delivery id, the newest first. */
  async #ofIds(
    deliveryId: string,
    services: readonly ServiceKey[],
    query: Omit<InboxQuery, 'limit'>,
  ): Promise<readonly InboxEntry[]> {
    const found = this.#entries.qb().select([...this.#columns]);
    found.where({ service: { $in: [...services] }, deliveryId });
    const { state, service, isFaulty, since = -Infinity, until = Infinity } = query;
    const isAsked = (entry: InboxEntry): boolean =>
      (state ?? entry.state) === entry.state &&
      (service ?? entry.service) === entry.service &&
      (isFaulty ?? entry.isFaulty) === entry.isFaulty &&
      entry.receivedAt >= since &&
      entry.receivedAt < until;
    const entries = (await this.#entries.readAside(found, this.#columns)).map(toEntry).filter(isAsked);
    return entries.toSorted((left, right) => right.seq - left.seq);
  }

  /** Begins a statement for these columns of the entries that match, the newest first. */
  #matching(names: readonly (keyof Row)[], query: Omit<InboxQuery, 'limit'>) {
    const { state, service, isFaulty, since, until, before } = query;
    const found = this.#entries.qb().select([...names]);
    found.where(given({ ...indexedFilter(state, service), seq: given({ $lt: before }) }));
    if (state !== undefined && service !== undefined) found.andWhere(otherFilter(state, service));
    if (since !== undefined || until !== undefined) found.andWhere(receivedBetween(since, until));
    if (isFaulty === true) found.andWhere(isFaultyText);
    if (isFaulty === false) found.andWhere({ isFaulty });
    return found.orderBy({ seq: 'desc' });
  }
}

/** The columns of an entry: all except the body. */
export function entryColumns(entries: InboxTable) {
  return entries.but('body');
}

/** Converts a row to an entry. */
export function toEntry({ traceparent, ...row }: Omit<Row, 'body'>): InboxEntry {
  return { ...row, ...(traceparent === null ? {} : { traceparent }) };
}
