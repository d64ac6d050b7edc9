import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The states of an entry. `pending` waits, `leased` is being processed, `dead` was given up and blocks later entries
 * with the same order key; `done`, `ignored` (no reaction) and `skipped` (by an administrator, or unreadable) are finished.
 */
export const inboxStates = ['pending', 'leased', 'done', 'ignored', 'skipped', 'dead'] as const;

/** One of the six states. */
export type InboxState = (typeof inboxStates)[number];

/** An entry to store. `body` is its part of the delivery as JSON text. */
export type NewInboxEntry = Readonly<{
  service: ServiceKey;
  /** Unique within the service, permanently: an entry with a known id is dropped. */
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that processing it will call, if known before the entry is parsed. */
  calls?: ServiceKey | null;
  /** The `traceparent` of its receipt (W3C Trace Context); null or absent when tracing is off. */
  traceparent?: string | null;
  body: string;
}>;

/** An entry as stored, without its body. Times are Unix ms. */
export type InboxEntry = Readonly<{
  /** The position in order of arrival. */
  seq: number;
  service: ServiceKey;
  deliveryId: string;
  orderKey: string;
  event: string;
  /** The service that processing it calls, and whose outage delays it; null while that is unknown. */
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
  /** The result as a line for people: which note changed, and how. */
  outcome: string | null;
  finishedAt: number | null;
  /** Whether a reaction failed on it, although it is done. */
  isFaulty: boolean;
  /** The `traceparent` of its receipt; absent when there is none. */
  traceparent?: string;
}>;

/** Identifies an entry: its position, and the service and delivery id. */
export type EntryPlace = Pick<InboxEntry, 'seq' | 'service' | 'deliveryId'>;

/** A stored body, and the entry that it belongs to. */
export type StoredBody = EntryPlace & Readonly<{ body: string }>;

/** Replaces the body `before` by `after`. */
export type BodyChange = Readonly<{ seq: number; before: string; after: string }>;

/** A lane to claim from, and the maximum number of its entries; no maximum of its own when not given. */
export type ClaimedLane = Lane & Readonly<{ most?: number }>;

/** A claim: the owner, the lease's duration, the maximum number of entries, and the lanes; all lanes when not given. */
export type Claim = Readonly<{ owner: string; leaseMs: number; limit: number; lanes?: readonly ClaimedLane[] }>;

/**
 * How an attempt ended. `done` says whether a reaction failed on it. `retry` waits for its delay, or until the service `calls` works again if given. `waits` does
 * not count as an attempt: the delivery did not fail, and its 24 hours start over.
 */
export type Ending =
  | Readonly<{ kind: 'done'; outcome: string; isFaulty?: boolean }>
  | Readonly<{ kind: 'ignored'; outcome: string }>
  | Readonly<{ kind: 'retry'; error: string; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'waits'; error: string | null; delayMs: number; calls: ServiceKey | null }>
  | Readonly<{ kind: 'dead'; error: string }>;

/** How far entries are counted. An inbox grows for good, and whoever looks asks whether there are many. */
export const maxCounted = 10_000;

/**
 * A filter for entries: by state, by service, and received from `since` (inclusive) until `until` (exclusive, Unix ms);
 * omitted members match all. `isFaulty` matches those that are faulty, or those that are not. `before` is the `seq` to
 * continue from.
 */
export type InboxQuery = Readonly<{
  state?: InboxState;
  isFaulty?: boolean;
  service?: ServiceKey;
  since?: number;
  until?: number;
  before?: number;
  limit: number;
}>;

/**
 * A search among the entries that match the filter, the newest first and at most `most` of them, for those that contain
 * `text` in their event, delivery id, order key or outcome, case-insensitively. A search from the start begins with the
 * matching entries whose delivery id at one of the `services` is the text, however old they are.
 */
export type InboxSearch = InboxQuery & Readonly<{ text: string; most: number; services: readonly ServiceKey[] }>;

/**
 * What a search found: `limit` entries and those with that id at most; and the entry at which it ended: the last of the page, or of those that it looked
 * at. Null when it has looked at all.
 */
export type InboxFinds = Readonly<{
  entries: readonly InboxEntry[];
  searchedTo: Pick<InboxEntry, 'seq' | 'receivedAt'> | null;
}>;

/**
 * Stores accepted deliveries until they are processed. Entries with the same order key are handed out one at a time, in
 * order of arrival, even when several processes share the store. Times are measured by the store's clock.
 */
export interface WebhookInbox {
  /** Stores the entries, all or none, durably committed when it resolves; returns the number of new ones. */
  keep(entries: readonly NewInboxEntry[]): Promise<number>;
  /** Claims due entries, including those whose lease expired; each goes to one caller only. */
  claim(claim: Claim): Promise<readonly InboxEntry[]>;
  /** Extends the owner's leases until `leaseMs` from now; returns their number. */
  renew(owner: string, leaseMs: number): Promise<number>;
  /** Ends the attempt of a claimed entry; false, with nothing changed, when the claimant has lost the lease. */
  end(entry: InboxEntry, ending: Ending): Promise<boolean>;
  /** Returns the entry's body as JSON text; null when it was pruned. Throws when it cannot be decrypted. */
  body(entry: EntryPlace): Promise<string | null>;
  /** Returns the entry, or null. */
  find(seq: number): Promise<InboxEntry | null>;
  /** Lists the matching entries, the newest first. */
  list(query: InboxQuery): Promise<readonly InboxEntry[]>;
  /** Searches the matching entries for a text; `before` continues from where a search ended. */
  search(query: InboxSearch): Promise<InboxFinds>;
  /** Counts the entries by state, up to `maxCounted` of each: that number stands for as many or more. */
  counts(): Promise<Readonly<Record<InboxState, number>>>;
  /** Counts the faulty entries, up to `maxCounted`. */
  faulty(): Promise<number>;
  /** Returns when the oldest pending or leased entry was received, Unix ms; null when there is none. */
  oldestOpen(): Promise<number | null>;
  /** Returns when the service's latest new delivery was received, Unix ms; duplicates do not count. Null for none. */
  lastReceived(service: ServiceKey): Promise<number | null>;
  /** Makes all entries that wait for the service due in `inMs`, unless they are due sooner; returns their number. */
  wake(service: ServiceKey, inMs?: number): Promise<number>;
  /** Lists the services that entries wait for after a failed attempt. */
  awaited(): Promise<readonly ServiceKey[]>;
  /** Requeues a finished or dead entry; false when it is neither, or its body was pruned. */
  replay(seq: number): Promise<boolean>;
  /**
   * Requeues the oldest of the dead and of the faulty entries, or of one of both, whose bodies are kept; returns their
   * number.
   */
  replayFailed(query: Readonly<{ only?: 'dead' | 'faulty'; limit: number }>): Promise<number>;
  /** Skips a dead or pending entry, so that those behind it can continue; false when it is neither. */
  skip(seq: number): Promise<boolean>;
  /**
   * Removes the bodies of entries that finished before this time (Unix ms) but keeps their ids; returns their number.
   */
  prune(finishedBefore: number): Promise<number>;
}

/** An inbox as an adapter implements it: the port plus what key rotation needs. */
export interface WebhookInboxStore extends WebhookInbox {
  /** Lists up to `limit` stored bodies in order of `seq`, after `after`; fewer only at the end. */
  bodies(page: Readonly<{ after: number; limit: number }>): Promise<readonly StoredBody[]>;
  /** Replaces bodies in one transaction; one that is no longer `before` is left alone. Returns the number replaced. */
  rewriteBodies(changes: readonly BodyChange[]): Promise<number>;
}
