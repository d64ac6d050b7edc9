import { z } from 'zod';
import type { UserOfVendor } from '#application/connections/vendor-users.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { RecordNames } from '#application/ports/record-names.ts';
import type { NamedRef, NameOf } from '#domain/events/record-name.ts';

const answer = z.array(z.object({ id: z.union([z.number(), z.string()]).transform(String), name: z.string() }));

const listOf: Readonly<Record<NamedRef['kind'], string>> = { stage: 'stages.list', pipeline: 'pipelines.list' };

/** How long names stay cached, in ms. */
const freshMs = 10 * 60_000;
/** The minimum time between two requests for an unknown name, or after a failure, in ms. */
const maxWaitMs = 60_000;
/** The time-out of one look-up, in ms. */
const timeoutMs = 5_000;
const pageSize = 500;
const maxPages = 10;

type Known = Readonly<{ names: ReadonlyMap<string, string>; askedAt: number; isWhole: boolean }>;

/** Resolves stage and pipeline names from the lists of one user's sales CRM, cached for ten minutes. */
export class GatewayDealNames implements RecordNames {
  readonly #caller: OperationCaller;
  readonly #userOf: UserOfVendor;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<void>>();

  /** `userOf`: whose connection is used, since deliveries carry no user of this server (REACT-009). */
  constructor(caller: OperationCaller, userOf: UserOfVendor, clock: Clock) {
    this.#caller = caller;
    this.#userOf = userOf;
    this.#clock = clock;
  }

  async of(wanted: readonly NamedRef[]): Promise<NameOf> {
    const due = new Map(wanted.filter((ref) => this.#isDue(ref)).map((ref) => [listKey(ref), ref]));
    await Promise.all([...due.values()].map((ref) => this.#ask(ref)));
    return (ref) => this.#known.get(listKey(ref))?.names.get(ref.id) ?? null;
  }

  #isDue(ref: NamedRef): boolean {
    const { id } = ref;
    const known = this.#known.get(listKey(ref));
    if (known === undefined) return true;
    const isFresh = known.isWhole && known.names.has(id);
    return this.#clock.now() - known.askedAt >= (isFresh ? freshMs : maxWaitMs);
  }

  /** Requests the names once for all concurrent callers. */
  #ask(ref: NamedRef): Promise<void> {
    const key = listKey(ref);
    const asking = this.#asking.get(key) ?? this.#askOnce(ref).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #askOnce(ref: NamedRef): Promise<void> {
    const key = listKey(ref);
    const listed = await this.#list(listOf[ref.kind], await this.#userOf('sales_crm', ref.vendor));
    const former = this.#known.get(key)?.names ?? new Map<string, string>();
    this.#known.set(key, { names: listed ?? former, askedAt: this.#clock.now(), isWhole: listed !== null });
  }

  /** All names by id, or null when they cannot be read. */
  async #list(name: string, userId: number): Promise<ReadonlyMap<string, string> | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const names = new Map<string, string>();
    let cursor: string | null = null;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const input = { limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const outcome = await this.#caller.call({ userId, service: 'sales_crm', name, input, signal });
      const items = outcome.ok ? answer.safeParse(outcome.data) : null;
      if (!outcome.ok || items?.data === undefined) return null;
      for (const item of items.data) names.set(item.id, item.name);
      cursor = outcome.pagination?.next ?? null;
      if (cursor === null) break;
    }
    return names;
  }
}

/** The key of the list in which a record's name is. */
const listKey = ({ kind, vendor = '' }: NamedRef): string => `${kind} ${vendor}`;
