import type { Undo } from '#domain/changes/planned-change.ts';
import type { ShownDifference } from '#domain/changes/shown-difference.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The states of a kept change: `begun` before it is sent; `kept` when it was done; `undoing` while it is taken back;
 * `undone`.
 */
export const keptStates = ['begun', 'kept', 'undoing', 'undone'] as const;

/** One of the states. */
export type KeptState = (typeof keptStates)[number];

/** The contents of a kept change, which are stored encrypted. */
export type KeptContent = Readonly<{
  differences: readonly ShownDifference[];
  /** Null when it cannot be taken back; `irreversible` says why. */
  undo: Undo | null;
  irreversible: string | null;
  /** The app's own words; null for none. */
  explain: string | null;
}>;

/** A change that an app made for a user, without its contents. Times are Unix ms. */
export type KeptChangeHead = Readonly<{
  /** Opaque; the activity entry of the same call names it. */
  id: string;
  userId: number;
  grantId: string | null;
  app: string | null;
  service: ServiceKey;
  operation: string;
  effect: Effect;
  /** The service's id of the record, a note's path in the vault; null when it is not known. */
  recordId: string | null;
  at: number;
  /** The connection's account when it was made; a change of another account cannot be taken back. */
  account: string;
  state: KeptState;
  /** When it was taken back, wholly (`undone`) or in part (`kept`); null until then. */
  undoneAt: number | null;
  /** The id of the change that it took back; null for all others. */
  undoOf: string | null;
  /** The id of the program that made it; null for a change that came alone. */
  partOf: string | null;
}>;

/** A change that an app made for a user, with what is needed to take it back. A store is given encrypted contents. */
export type KeptChange<Content = KeptContent> = KeptChangeHead & Readonly<{ content: Content }>;

/** The length of its id in random bytes. */
export const keptIdBytes = 12;

/** The maximum size of the contents of one, in characters of JSON; what has more cannot be taken back. */
export const maxKeptContent = 8 * 1024 * 1024;
