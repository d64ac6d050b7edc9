import type { ShownDifference } from '#domain/changes/shown-difference.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The states of an approval: `waiting` for a person; `allowed`, where the change is done with the app's next call, since
 * it carries a stream; `running` while it is done; `done`, whatever its outcome is; `refused`.
 */
export const approvalStates = ['waiting', 'allowed', 'running', 'done', 'refused'] as const;

/** One of the states. */
export type ApprovalState = (typeof approvalStates)[number];

/** What a person sees before they decide, and what is done then. It is stored encrypted. */
export type ApprovalContent = Readonly<{
  /** The input as the app gave it. */
  input: unknown;
  /** The id of the kept change that is taken back; null for any other change. */
  undoOf: string | null;
  differences: readonly ShownDifference[];
  /** The app's own words, at most 300 characters; null for none. */
  explain: string | null;
  /** Why it could not be taken back; null when it could. */
  irreversible: string | null;
}>;

/** A change that an app asked for, and a person decides. Times are Unix ms. */
export type Approval = Readonly<{
  /** Opaque, at least 20 characters. */
  id: string;
  userId: number;
  grantId: string;
  /** The app's name; null when it has none. */
  app: string | null;
  service: ServiceKey;
  operation: string;
  effect: Effect;
  at: number;
  /** When it ends if nobody decides, and until when its outcome is kept. */
  expiresAt: number;
  state: ApprovalState;
  decidedAt: number | null;
  /** The digest of the change (`digestOfChange`), and that of the input as the app gave it. */
  digest: string;
  inputDigest: string;
  content: ApprovalContent;
  /** What the person wrote when they refused; null for nothing. */
  comment: string | null;
  /** The outcome of a change that was done; null for all others. */
  outcome: Outcome | null;
}>;

/** How long an approval waits, and its outcome is kept, in ms: 24 hours. */
export const approvalLifetimeMs = 24 * 60 * 60_000;

/** The length of an approval's id in random bytes. */
export const approvalIdBytes = 18;

/** How many may wait, of one app and of one user, and the maximum size of the content of one, in characters of JSON. */
export const maxWaitingOfApp = 50;
export const maxWaitingOfUser = 200;
export const maxApprovalContent = 1024 * 1024;

/** The maximum length of an app's words on a change, and of a person's on a refusal, in characters. */
export const maxExplain = 300;
export const maxComment = 500;

/** How long a change that was allowed may run, in ms; after that its outcome is unknown. */
export const maxRunMs = 5 * 60_000;
