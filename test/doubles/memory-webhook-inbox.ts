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
import { laneName } from '#domain/webhooks/lane.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

const blocking: readonly InboxState[] = ['pending', 'leased', 'dead'];
const over: readonly InboxState[] = ['done', 'ignored', 'skipped'];

type Kept = { entry: InboxEntry; body: string | null };

/** The inbox in memory, for tests: durable it is not. */
export class MemoryWebhookInbox implements WebhookInboxStore {
  readonly #clock: Clock;
  readonly #kept: Kept[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async keep(entries: readonly NewInboxEntry[]): Promise<number> {
    const before = this.#kept.length;
    const readable = entries.map((entry) => frozenCopy(entry));
    for (const { body, ...entry } of readable) {
      if (!this.#kept.some((kept) => isSame(kept.entry, entry))) this.#kept.push(this.#fresh(entry, body));
    }
    return this.#kept.length - before;
  }

  async claim({ owner, leaseMs, limit, lanes }: Claim): Promise<readonly InboxEntry[]> {
    const now = this.#clock.now();
    const room = lanes === undefined ? null : new Map(lanes.map((lane) => [laneName(lane), lane.most ?? limit]));
    const isWanted = ({ service, calls }: InboxEntry) => {
      const name = laneName({ from: service, calls });
      const left = room === null ? limit : (room.get(name) ?? 0);
      room?.set(name, left - 1);
      return left > 0;
    };
    const due = this.#kept.filter(({ entry }) => isDue(entry, now) && !this.#isHeldUp(entry) && isWanted(entry));
    return due.slice(0, limit).map((kept) => {
      const attempts = kept.entry.attempts + 1;
      return change(kept, { state: 'leased', leaseOwner: owner, leaseUntil: now + leaseMs, attempts });
    });
  }

  async renew(owner: string, leaseMs: number): Promise<number> {
    const leaseUntil = this.#clock.now() + leaseMs;
    const leased = this.#kept.filter(({ entry }) => entry.state === 'leased' && entry.leaseOwner === owner);
    for (const kept of leased) change(kept, { leaseUntil });
    return leased.length;
  }

  async end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    const kept = this.#at(entry.seq);
    const isMine = kept?.entry.state === 'leased' && kept.entry.leaseOwner === entry.leaseOwner;
    if (kept === undefined || !isMine || kept.entry.attempts !== entry.attempts) return false;
    change(kept, { ...changeOf(ending, kept.entry, this.#clock.now()), leaseOwner: null, leaseUntil: null });
    return true;
  }

  async body({ seq }: EntryPlace): Promise<string | null> {
    return this.#at(seq)?.body ?? null;
  }

  async bodies({ after, limit }: Parameters<WebhookInboxStore['bodies']>[0]): Promise<readonly StoredBody[]> {
    return this.#kept
      .flatMap(({ entry: { seq, service, deliveryId }, body }) =>
        body === null || seq <= after ? [] : [{ seq, service, deliveryId, body }],
      )
      .slice(0, limit);
  }

  async rewriteBodies(changes: readonly BodyChange[]): Promise<number> {
    const due = changes.filter(({ seq, before }) => this.#at(seq)?.body === before);
    for (const { seq, after } of due) {
      const kept = this.#at(seq);
      if (kept !== undefined) kept.body = after;
    }
    return due.length;
  }

  async find(seq: number): Promise<InboxEntry | null> {
    return this.#at(seq)?.entry ?? null;
  }

  async list({ before, limit, ...query }: InboxQuery): Promise<readonly InboxEntry[]> {
    return this.#kept
      .map(({ entry }) => entry)
      .filter((entry) => entry.seq < (before ?? Infinity) && isAskedFor(entry, query))
      .toReversed()
      .slice(0, limit);
  }

  async search({ text, most, services, limit, ...query }: InboxSearch): Promise<InboxFinds> {
    const matching = await this.list({ ...query, limit: Infinity });
    const isNamed = ({ service, deliveryId }: InboxEntry) => services.includes(service) && deliveryId === text;
    const named = query.before === undefined ? matching.filter(isNamed) : [];
    const found = matching.slice(0, most).filter((entry) => hasText(entry, text));
    const end = found.length < limit ? matching.slice(0, -1)[most - 1] : found[limit - 1];
    const others = found.slice(0, limit).filter((entry) => !named.includes(entry));
    return { entries: [...named, ...others], searchedTo: end ?? null };
  }

  async counts(): Promise<Readonly<Record<InboxState, number>>> {
    const counts = { pending: 0, leased: 0, done: 0, ignored: 0, skipped: 0, dead: 0 };
    for (const { entry } of this.#kept) counts[entry.state] += 1;
    return counts;
  }

  async oldestOpen(): Promise<number | null> {
    return this.#kept.find(({ entry }) => ['pending', 'leased'].includes(entry.state))?.entry.receivedAt ?? null;
  }

  async lastReceived(service: ServiceKey): Promise<number | null> {
    const times = this.#kept.flatMap(({ entry }) => (entry.service === service ? [entry.receivedAt] : []));
    return times.length === 0 ? null : Math.max(...times);
  }

  async wake(service: ServiceKey, inMs = 0): Promise<number> {
    const at = this.#clock.now() + inMs;
    const waiting = this.#kept.filter(
      ({ entry }) => entry.state === 'pending' && entry.calls === service && entry.availableAt > at,
    );
    for (const kept of waiting) change(kept, { availableAt: at });
    return waiting.length;
  }

  async awaited(): Promise<readonly ServiceKey[]> {
    const waiting = this.#kept.filter(({ entry }) => entry.state === 'pending' && entry.error !== null);
    return [...new Set(waiting.flatMap(({ entry }) => (entry.calls === null ? [] : [entry.calls])))];
  }

  async replay(seq: number): Promise<boolean> {
    const kept = this.#at(seq);
    if (kept === undefined || kept.body === null) return false;
    if (!over.includes(kept.entry.state) && kept.entry.state !== 'dead') return false;
    const { seq: _, ...entry } = kept.entry;
    change(kept, { ...this.#fresh(entry, null).entry, seq, receivedAt: kept.entry.receivedAt });
    return true;
  }

  async faulty(): Promise<number> {
    return this.#kept.filter(({ entry }) => entry.isFaulty).length;
  }

  async replayFailed({ only, limit }: Parameters<WebhookInboxStore['replayFailed']>[0]): Promise<number> {
    const failed = this.#kept.filter(
      ({ entry, body }) =>
        body !== null && ((only !== 'faulty' && entry.state === 'dead') || (only !== 'dead' && entry.isFaulty)),
    );
    for (const { entry } of failed.slice(0, limit)) await this.replay(entry.seq);
    return Math.min(failed.length, limit);
  }

  async skip(seq: number): Promise<boolean> {
    const kept = this.#at(seq);
    if (kept?.entry.state !== 'pending' && kept?.entry.state !== 'dead') return false;
    change(kept, { state: 'skipped', finishedAt: this.#clock.now() });
    return true;
  }

  async prune(finishedBefore: number): Promise<number> {
    const prunable = this.#kept.filter(
      ({ entry, body }) =>
        body !== null && over.includes(entry.state) && (entry.finishedAt ?? Infinity) < finishedBefore,
    );
    for (const kept of prunable) kept.body = null;
    return prunable.length;
  }

  #at(seq: number): Kept | undefined {
    return this.#kept[seq - 1];
  }

  #fresh(
    { service, deliveryId, orderKey, event, calls = null, traceparent = null }: Omit<NewInboxEntry, 'body'>,
    body: string | null,
  ): Kept {
    const now = this.#clock.now();
    const none = {
      failingSince: null,
      leaseOwner: null,
      leaseUntil: null,
      error: null,
      outcome: null,
      finishedAt: null,
      isFaulty: false,
    };
    const seq = this.#kept.length + 1;
    const times = { receivedAt: now, availableAt: now, attempts: 0 };
    const trace = traceparent === null ? {} : { traceparent };
    const named = { seq, service, deliveryId, orderKey, event, calls };
    const fresh = { ...named, ...trace, state: 'pending', ...times, ...none } as const;
    return { entry: frozenCopy(fresh), body };
  }

  #isHeldUp({ seq, orderKey }: InboxEntry): boolean {
    return this.#kept.some(
      ({ entry }) => entry.orderKey === orderKey && entry.seq < seq && blocking.includes(entry.state),
    );
  }
}

function change(kept: Kept, values: Partial<InboxEntry>): InboxEntry {
  kept.entry = frozenCopy({ ...kept.entry, ...values });
  return kept.entry;
}

function isSame(left: InboxEntry, right: Omit<NewInboxEntry, 'body'>): boolean {
  return left.service === right.service && left.deliveryId === right.deliveryId;
}

function isDue({ state, availableAt, leaseUntil }: InboxEntry, now: number): boolean {
  return (state === 'pending' && availableAt <= now) || (state === 'leased' && (leaseUntil ?? 0) <= now);
}

function changeOf(ending: Ending, entry: InboxEntry, now: number): Partial<InboxEntry> {
  switch (ending.kind) {
    case 'done':
    case 'ignored': {
      const isFaulty = ending.kind === 'done' && ending.isFaulty === true;
      const { kind: state, outcome } = ending;
      return { state, outcome, isFaulty, error: null, failingSince: null, finishedAt: now };
    }
    case 'retry': {
      const failingSince = entry.failingSince ?? now;
      const { error, calls, delayMs } = ending;
      return { state: 'pending', error, calls, availableAt: now + delayMs, failingSince };
    }
    case 'waits': {
      const { error, calls, delayMs } = ending;
      const attempts = entry.attempts - 1;
      return { state: 'pending', error, calls, availableAt: now + delayMs, failingSince: null, attempts };
    }
    case 'dead':
      return { state: 'dead', error: ending.error, finishedAt: now };
  }
}

function isAskedFor(
  entry: InboxEntry,
  {
    state = entry.state,
    isFaulty = entry.isFaulty,
    service = entry.service,
    since = -Infinity,
    until = Infinity,
  }: Omit<InboxQuery, 'limit'>,
): boolean {
  const isThen = entry.receivedAt >= since && entry.receivedAt < until;
  return isThen && entry.state === state && entry.isFaulty === isFaulty && entry.service === service;
}

function hasText({ event, deliveryId, orderKey, outcome }: InboxEntry, text: string): boolean {
  const texts = [event, deliveryId, orderKey, outcome ?? ''].map((each) => each.toLowerCase());
  return texts.some((each) => each.includes(text.toLowerCase()));
}
