import type { StoredEffect } from '#domain/operations/effect.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** One operation call that an app made on behalf of a user. Request input and response content are not recorded. */
export type ActivityEntry = Readonly<{
  /** When the call began, Unix ms. */
  at: number;
  userId: number;
  /** The app's grant, and its name; null for a token issued before grants were stored. */
  grantId: string | null;
  app: string | null;
  service: ServiceKey;
  /** The operation's name within its service: 'deals.get'. */
  operation: string;
  effect: StoredEffect;
  /**
   * The service's id of the record, taken from the answer or the input; a note's path in the vault. Null when neither
   * has one.
   */
  recordId: string | null;
  /** The record's web address from the service's answer; null when the answer has none, or none that can be trusted. */
  recordUrl: string | null;
  outcome: 'ok' | FailureReason;
  /** How long it took, in milliseconds. */
  ms: number;
  /** The id of what is kept of a change, by which it can be taken back; absent when nothing is. */
  keptId?: string;
  /** The id of the program that it was a part of; absent for a call that came alone. */
  partOf?: string;
}>;
