import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * Where an entry stands. `pending` waits, `leased` is being worked on, `dead` was given up and holds up the entries after
 * it with the same order key; `done`, `ignored` (no reaction) and `skipped` (by a person) are over.
 */
export const inboxStates = ['pending', 'leased', 'done', 'ignored', 'skipped', 'dead'] as const;

/** One of the six. */
export type InboxState = (typeof inboxStates)[number];

/** An entry to keep. `body` is its part of the delivery as JSON text. */
export type NewInboxEntry = Readonly<{
  service: ServiceKey;
  /** Unique within the service, for ever: an entry with an id that was seen is not kept. */
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that the work on it will call, as far as that is known before it is read. */
  calls?: ServiceKey | null;
  body: string;
}>;

/** An entry as kept, without its body. Times are Unix ms. */
export type InboxEntry = Readonly<{
  /** Its place in the order of arrival. */
  seq: number;
  service: ServiceKey;
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that the work on it calls, and that it waits for while that is down; null while that is not known. */
  calls: ServiceKey | null;
  state: InboxState;
  receivedAt: number;
  /** Not tried before then. */
  availableAt: number;
  /** How often it was taken up. */
  attempts: number;
  /** When the failures that it is in began; null when the last try did not fail. */
  failingSince: number | null;
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** Why the last try failed. */
  error: string | null;
  /** What was done, as a line for people: which note changed and how. */
  outcome: string | null;
  finishedAt: number | null;
}>;

/** What is claimed: whose it is to be, for how long, how many at most, and from which lanes; from all when not given. */
export type Claim = Readonly<{ owner: string; leaseMs: number; limit: number; lanes?: readonly Lane[] }>;

/**
 * How a try ended. `retry` waits for its time, and for no longer than until `calls` answers again where that is given.
 * `waits` was no try: what it waits for is no error of the delivery, whose 24 hours begin anew.
 */
export type Ending =
  | Readonly<{ kind: 'done' | 'ignored'; outcome: string }>
  | Readonly<{ kind: 'retry'; error: string; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'waits'; error: string | null; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'dead'; error: string }>;

/**
 * The deliveries that were accepted and are to have their effect. Entries with one order key are handed out in the order
 * in which they came, one at a time; several processes may share the store. Its times are those of the store's clock.
 */
export interface WebhookInbox {
  /** Keeps the entries, all or none, on disk when it resolves; the number of those that were new. */
  keep(entries: readonly NewInboxEntry[]): Promise<number>;
  /** Hands out entries that are due, those with a lease that ran out among them; each to one caller only. */
  claim(claim: Claim): Promise<readonly InboxEntry[]>;
  /** Makes the owner's leases last `leaseMs` from now; the number of them. */
  renew(owner: string, leaseMs: number): Promise<number>;
  /** Ends a claimed entry's try; false, and nothing changed, when the lease is no longer the claimant's. */
  end(entry: InboxEntry, ending: Ending): Promise<boolean>;
  /** The entry's body as JSON text; null when it was pruned. Throws when it cannot be decrypted. */
  body(seq: number): Promise<string | null>;
  /** The entry, or null. */
  find(seq: number): Promise<InboxEntry | null>;
  /** Entries, the newest first, of one state or all; `before` is the `seq` to go on from. */
  list(query: Readonly<{ state?: InboxState; before?: number; limit: number }>): Promise<readonly InboxEntry[]>;
  /** How many entries are in each state. */
  counts(): Promise<Readonly<Record<InboxState, number>>>;
  /** When the oldest entry that is pending or being worked on came in, Unix ms; null when there is none. */
  oldestOpen(): Promise<number | null>;
  /** Makes all entries that wait for the service to answer due in so many ms, if not sooner; the number of them. */
  wake(service: ServiceKey, inMs?: number): Promise<number>;
  /** The services that entries wait for, after a try that ended without effect. */
  awaited(): Promise<readonly ServiceKey[]>;
  /** Makes an entry that is over or dead pending again; false when it is neither, or its body was pruned. */
  replay(seq: number): Promise<boolean>;
  /** Lets a dead or pending entry be, so that those behind it go on; false when it is neither. */
  skip(seq: number): Promise<boolean>;
  /** Drops the bodies of entries that were over before then (Unix ms), and keeps their ids; the number of them. */
  prune(finishedBefore: number): Promise<number>;
}
