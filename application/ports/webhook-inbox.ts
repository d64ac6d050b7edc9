import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The states of an entry. `pending` waits, `leased` is being processed, `dead` was given up and holds up the entries
 * after it with the same order key; `done`, `ignored` (no reaction) and `skipped` (by a person) are finished.
 */
export const inboxStates = ['pending', 'leased', 'done', 'ignored', 'skipped', 'dead'] as const;

/** One of the six states. */
export type InboxState = (typeof inboxStates)[number];

/** An entry to store. `body` is its part of the delivery as JSON text. */
export type NewInboxEntry = Readonly<{
  service: ServiceKey;
  /** Unique within the service, for ever: an entry with a known id is dropped. */
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that processing it will call, where that is known before it is read. */
  calls?: ServiceKey | null;
  /** The trace that it came in by (W3C Trace Context); null or absent when nothing is traced. */
  traceparent?: string | null;
  body: string;
}>;

/** An entry as stored, without its body. Times are Unix ms. */
export type InboxEntry = Readonly<{
  /** The position in the order of arrival. */
  seq: number;
  service: ServiceKey;
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that processing it calls, and that it waits for while that is down; null while that is not known. */
  calls: ServiceKey | null;
  state: InboxState;
  receivedAt: number;
  /** The earliest time of the next attempt. */
  availableAt: number;
  /** The number of times it was claimed. */
  attempts: number;
  /** When the current series of failures began; null when the last attempt did not fail. */
  failingSince: number | null;
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** The error of the last attempt. */
  error: string | null;
  /** The result, as a line for people: which note changed and how. */
  outcome: string | null;
  finishedAt: number | null;
  /** The trace that it came in by; absent when there is none. */
  traceparent?: string;
}>;

/** The position of an entry, and the two by which the sender's delivery is known. */
export type EntryPlace = Pick<InboxEntry, 'seq' | 'service' | 'deliveryId'>;

/** A stored body, and the entry that it belongs to. */
export type StoredBody = EntryPlace & Readonly<{ body: string }>;

/** Another text in place of the body `before`. */
export type BodyChange = Readonly<{ seq: number; before: string; after: string }>;

/** A claim: the owner, the lease, the largest number, and the lanes; all lanes when not given. */
export type Claim = Readonly<{ owner: string; leaseMs: number; limit: number; lanes?: readonly Lane[] }>;

/**
 * The end of an attempt. `retry` waits for its time, or until `calls` answers again where that is given. `waits` does
 * not count as an attempt: what it waits for is no error of the delivery, whose 24 hours begin again.
 */
export type Ending =
  | Readonly<{ kind: 'done' | 'ignored'; outcome: string }>
  | Readonly<{ kind: 'retry'; error: string; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'waits'; error: string | null; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'dead'; error: string }>;

/**
 * What is listed: entries of one state and one service, received at `since` or later and before `until` (Unix ms), with
 * the text in their event, delivery id, order key or outcome, whatever its case; all where a member is not given.
 * `before` is the `seq` to continue from.
 */
export type InboxQuery = Readonly<{
  state?: InboxState;
  service?: ServiceKey;
  since?: number;
  until?: number;
  text?: string;
  before?: number;
  limit: number;
}>;

/**
 * Stores the accepted deliveries until they are processed. Entries with one order key are handed out in their order of
 * arrival, one at a time; several processes may share the store. Its times are those of the store's clock.
 */
export interface WebhookInbox {
  /** Stores the entries, all or none, on disk when it resolves; returns the number of new ones. */
  keep(entries: readonly NewInboxEntry[]): Promise<number>;
  /** Claims entries that are due, those with an expired lease among them; each goes to one caller only. */
  claim(claim: Claim): Promise<readonly InboxEntry[]>;
  /** Extends the owner's leases to `leaseMs` from now; returns their number. */
  renew(owner: string, leaseMs: number): Promise<number>;
  /** Ends the attempt of a claimed entry; false, and nothing changed, when the claimant has lost the lease. */
  end(entry: InboxEntry, ending: Ending): Promise<boolean>;
  /** Returns the entry's body as JSON text; null when it was pruned. Throws when it cannot be decrypted. */
  body(entry: EntryPlace): Promise<string | null>;
  /** Returns the entry, or null. */
  find(seq: number): Promise<InboxEntry | null>;
  /** Lists the entries that the query asks for, the newest first. */
  list(query: InboxQuery): Promise<readonly InboxEntry[]>;
  /** Counts the entries by state. */
  counts(): Promise<Readonly<Record<InboxState, number>>>;
  /** Returns when the oldest pending or leased entry came in, Unix ms; null when there is none. */
  oldestOpen(): Promise<number | null>;
  /** Returns when the service's last delivery came in, Unix ms; a repeated one counts as of its first time. Null for none. */
  lastReceived(service: ServiceKey): Promise<number | null>;
  /** Makes all entries that wait for the service due in so many ms, if not sooner; returns their number. */
  wake(service: ServiceKey, inMs?: number): Promise<number>;
  /** Lists the services that entries wait for, after an attempt without effect. */
  awaited(): Promise<readonly ServiceKey[]>;
  /** Requeues a finished or dead entry; false when it is neither, or its body was pruned. */
  replay(seq: number): Promise<boolean>;
  /** Skips a dead or pending entry, so that those behind it continue; false when it is neither. */
  skip(seq: number): Promise<boolean>;
  /** Drops the bodies of entries that finished before then (Unix ms), and keeps their ids; returns their number. */
  prune(finishedBefore: number): Promise<number>;
}

/** An inbox as an adapter implements it: beside the port, what a change of keys needs. */
export interface WebhookInboxStore extends WebhookInbox {
  /** Lists the stored bodies in the order of `seq`, from the first after `after`; fewer than `limit` when there are no more. */
  bodies(page: Readonly<{ after: number; limit: number }>): Promise<readonly StoredBody[]>;
  /** Stores other texts in place of bodies, in one step; one that is no longer `before` stays. Returns how many changed. */
  rewriteBodies(changes: readonly BodyChange[]): Promise<number>;
}
