import { z } from 'zod';
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
  readonly #userId: number;
  readonly #clock: Clock;
  readonly #known = new Map<NamedRef['kind'], Known>();
  readonly #asking = new Map<NamedRef['kind'], Promise<void>>();

  /** `userId`: whose connection is used, since deliveries carry no user of this server (REACT-009). */
  constructor(caller: OperationCaller, userId: number, clock: Clock) {
    this.#caller = caller;
    this.#userId = userId;
    this.#clock = clock;
  }

  async of(wanted: readonly NamedRef[]): Promise<NameOf> {
    const kinds = new Set(wanted.filter((ref) => this.#isDue(ref)).map(({ kind }) => kind));
    await Promise.all([...kinds].map((kind) => this.#ask(kind)));
    return ({ kind, id }) => this.#known.get(kind)?.names.get(id) ?? null;
  }

  #isDue({ kind, id }: NamedRef): boolean {
    const known = this.#known.get(kind);
    if (known === undefined) return true;
    const isFresh = known.isWhole && known.names.has(id);
    return this.#clock.now() - known.askedAt >= (isFresh ? freshMs : maxWaitMs);
  }

  /** Requests the names once for all concurrent callers. */
  #ask(kind: NamedRef['kind']): Promise<void> {
    const asking = this.#asking.get(kind) ?? this.#askOnce(kind).finally(() => this.#asking.delete(kind));
    this.#asking.set(kind, asking);
    return asking;
  }

  async #askOnce(kind: NamedRef['kind']): Promise<void> {
    const listed = await this.#list(listOf[kind]);
    const former = this.#known.get(kind)?.names ?? new Map<string, string>();
    this.#known.set(kind, { names: listed ?? former, askedAt: this.#clock.now(), isWhole: listed !== null });
  }

  /** All names by id, or null when they cannot be read. */
  async #list(name: string): Promise<ReadonlyMap<string, string> | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const names = new Map<string, string>();
    let cursor: string | null = null;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const input = { limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const outcome = await this.#caller.call({ userId: this.#userId, service: 'sales_crm', name, input, signal });
      const items = outcome.ok ? answer.safeParse(outcome.data) : null;
      if (!outcome.ok || items?.data === undefined) return null;
      for (const item of items.data) names.set(item.id, item.name);
      cursor = outcome.pagination?.next ?? null;
      if (cursor === null) break;
    }
    return names;
  }
}
