import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { errorsText, type InputError } from '#domain/operations/input-error.ts';

/** The reasons for which an operation fails (ERR-003). `gone` is HTTP 410: the record existed and was removed. */
export const failureReasons = [
  'invalid_input',
  'not_connected',
  'forbidden',
  'unauthorized',
  'not_found',
  'gone',
  'conflict',
  'rate_limited',
  'rejected',
  'unavailable',
  'too_large',
  'approval_required',
  'declined',
  'expired',
] as const;

/** One of the failure reasons. */
export type FailureReason = (typeof failureReasons)[number];

/**
 * Whether an operation was sent. `no`: nothing that could take effect left the server. `yes`: the service answered, so
 * it is known what it did. `unknown`: it may have been sent, and no answer says whether it took effect; also when a
 * part of it did.
 */
export type Sent = 'no' | 'yes' | 'unknown';

/**
 * The position after a page of a list: `next` is the value of the operation's paging input that returns the next page;
 * null at the end. `total` is the number of all items, where it is known.
 */
export type Pagination = Readonly<{ next: string | null; hasMore: boolean; total?: number }>;

/** A question to a person that a call waits for: its id, its page, and when it ends (Unix ms). */
export type PendingApproval = Readonly<{ id: string; url: string; expiresAt: number }>;

/**
 * A change that the client's user has to confirm first: what it does as text, and the digest by which it is known that
 * it is still the same.
 */
export type ChangeToConfirm = Readonly<{ digest: string; effect: Effect; text: string }>;

/**
 * A failed call: `message` is written by this server and says what was wrong and what is accepted; `details` is the
 * provider's error as data.
 */
export type Failure = Readonly<{
  ok: false;
  reason: FailureReason;
  message: string;
  sent: Sent;
  /** The milliseconds to wait before a retry; only with `rate_limited` and `unavailable`. */
  retryAfterMs?: number;
  details?: unknown;
  /** The errors that the server's own validation found in the input; the edges send them as `details`. */
  inputErrors?: readonly InputError[];
  /** The question to the user; only with `approval_required`. */
  approval?: PendingApproval;
  /** What the client's user is asked first; only of calls that say that they can ask. */
  toConfirm?: ChangeToConfirm;
}>;

/** The part of a text from one character up to another, of all, in UTF-16 code units. */
export type TextPart = Readonly<{ begin: number; end: number; of: number }>;

/**
 * A successful call, which was sent. `warnings` list what a partial success did not do; `revision` identifies the state
 * of the note that was read or written, for a conditional write; `path` is that note's, where the input did not name it;
 * `part` is the place of `data` in a long text; `isPartial`: a change was taken back in part, as the warnings say.
 */
export type Success<Data = unknown> = Readonly<{
  ok: true;
  data: Data;
  pagination?: Pagination;
  warnings?: readonly string[];
  revision?: string;
  path?: string;
  part?: TextPart;
  isPartial?: true;
}>;

/** The outcome of any outbound operation (REST-002, ERR-003). */
export type Outcome<Data = unknown> = Success<Data> | Failure;

/** Creates a success with data. */
export const succeeded = <Data>(data: Data, pagination?: Pagination): Success<Data> =>
  pagination === undefined ? { ok: true, data } : { ok: true, data, pagination };

/** Adds the revision of what was read or written to a success; none where the vault does not state one. */
export function withRevision<Data>(outcome: Outcome<Data>, revision: string | undefined): Outcome<Data> {
  return outcome.ok && revision !== undefined ? { ...outcome, revision } : outcome;
}

/** Adds the path of the note to a success; none where the vault does not state one. */
export function withPath<Data>(outcome: Outcome<Data>, path: string | undefined): Outcome<Data> {
  return outcome.ok && path !== undefined ? { ...outcome, path } : outcome;
}

/** Creates a failure with a reason; of an operation that was not sent unless `sent` says otherwise. */
export const failed = (
  reason: FailureReason,
  message: string,
  more: Readonly<{ retryAfterMs?: number; details?: unknown; sent?: Sent }> = {},
): Failure => ({ ok: false, reason, message, sent: 'no', ...more });

/** Creates the failure of a change that the client's user has to confirm first; nothing was sent. */
export const confirmFirst = (toConfirm: ChangeToConfirm): Failure => ({
  ...failed(
    'conflict',
    'This has changed while the user was asked, and nothing was done: they have to be asked again.',
  ),
  toConfirm,
});

/** Creates the failure for input that the server's own validation rejected. */
export const invalidInput = (inputErrors: readonly InputError[]): Failure => ({
  ...failed('invalid_input', errorsText(inputErrors)),
  inputErrors,
});

/** Creates the same failure for the input of an operation; nothing was sent. */
export const refusedInput = (inputErrors: readonly InputError[]): Failure => {
  const text = errorsText(inputErrors);
  return { ...invalidInput(inputErrors), message: `Portolan did not send this: ${lowerFirst(text)}` };
};

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The wait after a rate limit whose wait nobody stated, in ms: the back-off step after the usual five attempts. */
const unstatedWaitMs = 8_000;

/** Returns how long to wait before a retry, in ms; always for `rate_limited`, else undefined where nobody knows. */
export function waitAfter({ reason, retryAfterMs }: Failure): number | undefined {
  return retryAfterMs ?? (reason === 'rate_limited' ? unstatedWaitMs : undefined);
}

/** The maximum length of a record's id, in characters; longer ones are dropped. */
const maxIdLength = 200;

type Values = Readonly<Record<string, unknown>>;

const none: Values = {};

/**
 * Returns the id of the record that a call concerned: the requested path, else the id in the answer, else the id in the
 * input, else the path in the answer; prefixed with the module's name where a service has modules. Null when there is
 * none.
 */
export function recordIdOf(input: unknown, data: unknown): string | null {
  const given = isObject(input) ? input : none;
  const answered = isObject(data) ? data : none;
  const id = idOf(given['path']) ?? idOf(answered['id']) ?? idOf(given['id']) ?? idOf(answered['path']);
  const module = idOf(given['module']);
  const whole = id === null || module === null ? id : `${module}/${id}`;
  return whole === null || whole.length > maxIdLength ? null : whole;
}

function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
