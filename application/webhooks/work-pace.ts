/** The bounds of a lease and of how often leases are extended, in ms. */
export type ClaimTiming = Readonly<{ leaseMs: number; maxLeaseMs: number; renewMs: number }>;

/**
 * How long claimed deliveries are leased, and how often the leases are extended. A lease outlives two extensions that
 * are late: together with the poll interval it bounds how soon another process takes over. A process that is short of
 * processor time leases for longer, up to the maximum.
 */
export const claimTiming: ClaimTiming = { leaseMs: 3_200, maxLeaseMs: 30_000, renewMs: 1_000 };

/** How many measured intervals between extensions fit into a lease. */
const intervalsInLease = 3;
/** How much of a measured interval still counts at the next one. */
const fading = 0.9;
/**
 * A period in which a server had work for so much of the time, and got no more than so many cores, is one in which it
 * was short of processor time. It counts as short after three such periods, and until three others, of the last six.
 */
const short = { busy: 0.8, cores: 0.15, from: 3, most: 6 } as const;
/** For how many periods one counts that lasts longer, as when a database is far away as well: for few, since a server may have been stopped. */
const mostPeriodsAtOnce = 2;
/** While it is: how many deliveries may be received for each attempt that ended, how many a second besides, and ahead. */
const [perEnded, perSecond, ahead] = [1, 0.2, 50];

/** How many calls a second are made besides those that are in proportion, and how many of them ahead. */
const [callsPerSecond, callsAhead] = [1, 4];
/** How much of the deliveries that arrived, and were received, still counts a period later; and from how many on it does. */
const [remembered, fewestArrived] = [0.8, 5];
/** A period that lasts so many times as long is late; the part of the calls that are made shrinks and grows so. */
const [late, shrinking, growing, leastOfCalls] = [1.5, 0.7, 0.1, 0.05];

/**
 * How many attempts at a time keep a server busy that is short of processor time: of those that call one service, or none,
 * since what waits for a service takes no time from the others. With more each turn of the event loop
 * takes longer, and Node accepts one connection a turn: senders would give up before they are even refused. More are
 * needed where attempts mostly wait, as for a database that is far away: then the loop is idle for some of the time.
 */
const whileShort = { least: 6, most: 16, step: 2, idleBelow: 0.95 } as const;

/** How much of a period a server had work, from 0 to 1, and how much processor time it got, in cores. */
export type Load = Readonly<{ busy: number; cores: number }>;

/** What a server may take on at the moment. */
export type Intake = Readonly<{
  /** Whether it is so short of processor time that it may refuse deliveries. */
  isBusy(): boolean;
  /** Whether a delivery that arrives is refused. */
  isFull(): boolean;
  /** Whether a delivery may be received although it is busy. */
  mayReceive(): boolean;
  /** Records that one that might be received was not: its sender has given up. */
  notReceived(): void;
  /** Whether a call that arrives is made. */
  mayCall(): boolean;
}>;

/**
 * Adapts what a server takes on to what it gets done (INBOX-020, INBOX-021, INBOX-026).
 *
 * Claims: a lost lease halves their number, once for all that are lost together; each attempt that ends within its lease
 * raises it by one. Leases last as long as several extensions take, which is long when there is little processor time.
 *
 * Receipts: unlimited, unless the server is short of processor time. Then they follow the attempts that end, since
 * whatever is received besides takes the time that the acknowledged deliveries need.
 *
 * Calls: as large a part as of the deliveries, so that each of both keeps its share of the time; a smaller one while the
 * event loop is late, as when there are calls only.
 */
export class WorkPace {
  readonly #timing: ClaimTiming;
  readonly #most: number;
  #limit: number;
  #intervalMs: number;
  #short = 0;
  #halvedAt = Number.NEGATIVE_INFINITY;
  #credit = ahead;
  #creditedAt = 0;
  /** The deliveries that arrived while it was short, and those that were received, the later the more they count. */
  #deliveries = { arrived: 0, received: 0 };
  #partOfCalls = 1;
  #mostWhileShort: number = whileShort.least;
  #callCredit = callsAhead;
  #calledAt = 0;

  /** `most` is the maximum number of claims. */
  constructor(timing: ClaimTiming, most: number) {
    this.#timing = timing;
    this.#most = most;
    this.#limit = most;
    this.#intervalMs = timing.renewMs;
  }

  /** The number of entries that may be claimed at the same time; at least 1. */
  get limit(): number {
    return this.#limit;
  }

  /** The number of those among them whose processing calls the same service, or none. */
  get limitAlike(): number {
    return this.isShort ? this.#mostWhileShort : this.#most;
  }

  /** How long a lease that is requested now should last, in ms. */
  get leaseMs(): number {
    const { leaseMs, maxLeaseMs } = this.#timing;
    return Math.round(Math.min(maxLeaseMs, Math.max(leaseMs, this.#intervalMs * intervalsInLease)));
  }

  /** Records the time between two extensions, in ms; `load` measures the load since it was last called. */
  extended(intervalMs: number, load: () => Load): void {
    const { renewMs } = this.#timing;
    this.#intervalMs = Math.max(intervalMs, renewMs, this.#intervalMs * fading);
    // What happens in a few milliseconds says nothing.
    if (intervalMs < renewMs / 2) return;
    const { busy, cores } = load();
    const isShort = busy >= short.busy && cores <= short.cores;
    const periods = isShort ? Math.min(mostPeriodsAtOnce, Math.max(1, intervalMs / renewMs)) : -1;
    this.#short = Math.min(short.most, Math.max(0, this.#short + periods));
    const step = this.isShort && busy < whileShort.idleBelow ? whileShort.step : -whileShort.step;
    this.#mostWhileShort = Math.min(whileShort.most, Math.max(whileShort.least, this.#mostWhileShort + step));
    const { arrived, received } = this.#deliveries;
    this.#deliveries = { arrived: arrived * remembered, received: received * remembered };
    const isLate = intervalMs > late * renewMs;
    this.#partOfCalls = isLate
      ? Math.max(leastOfCalls, this.#partOfCalls * shrinking)
      : Math.min(1, this.#partOfCalls + growing);
  }

  /** Records that an attempt ended within its lease. */
  kept(): void {
    this.#limit = Math.min(this.#most, this.#limit + 1);
    this.#credit = Math.min(ahead, this.#credit + perEnded);
  }

  /** Records that a lease was lost at a time, in ms. */
  lost(now: number): void {
    if (now - this.#halvedAt < this.#timing.renewMs) return;
    this.#halvedAt = now;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  /** Whether the server is short of processor time. */
  get isShort(): boolean {
    return this.#short >= short.from;
  }

  /** Whether a server that is may receive another delivery at a time, in ms. */
  mayReceive(now: number): boolean {
    this.#deliveries.arrived += 1;
    if (this.#creditAt(now) < 1) return false;
    this.#credit -= 1;
    this.#deliveries.received += 1;
    return true;
  }

  /** Whether a delivery that arrives at a time, in ms, is refused, since the server is short and may receive none. */
  isFull(now: number): boolean {
    const isFull = this.isShort && this.#creditAt(now) < 1;
    if (isFull) this.#deliveries.arrived += 1;
    return isFull;
  }

  /** Whether a call that arrives at a time, in ms, is made. */
  mayCall(now: number): boolean {
    if (!this.isShort) return true;
    const { arrived, received } = this.#deliveries;
    const ofDeliveries = arrived < fewestArrived ? 1 : received / arrived;
    const besides = (Math.max(0, now - this.#calledAt) / 1_000) * callsPerSecond;
    this.#calledAt = now;
    this.#callCredit = Math.min(callsAhead, this.#callCredit + besides + Math.min(ofDeliveries, this.#partOfCalls));
    if (this.#callCredit < 1) return false;
    this.#callCredit -= 1;
    return true;
  }

  /** Records that a delivery that might be received was not. */
  notReceived(): void {
    this.#credit = Math.min(ahead, this.#credit + 1);
  }

  #creditAt(now: number): number {
    const credit = this.#credit + (Math.max(0, now - this.#creditedAt) / 1_000) * perSecond;
    this.#credit = Math.min(ahead, credit);
    this.#creditedAt = now;
    return this.#credit;
  }
}
