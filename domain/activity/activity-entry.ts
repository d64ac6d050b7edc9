import type { Effect } from '#domain/operations/effect.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** One call of an operation by an app in a user's name. What was sent and what came back are not in it. */
export type ActivityEntry = Readonly<{
  /** When the call began, Unix ms. */
  at: number;
  userId: number;
  /** The grant of the app, and its name; null for a token from before grants were kept. */
  grantId: string | null;
  app: string | null;
  service: ServiceKey;
  /** The operation's name within its service: 'deals.get'. */
  operation: string;
  effect: Effect;
  /** The service's id of the record, where the answer or the input has one; a note's path in the vault. */
  recordId: string | null;
  /** Where people see the record, as the service's answer said it; null where it says none that can be trusted. */
  recordUrl: string | null;
  outcome: 'ok' | FailureReason;
  /** How long it took, in milliseconds. */
  ms: number;
}>;
