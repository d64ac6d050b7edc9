import { errorsText, type InputError } from '#domain/operations/input-error.ts';

/** Why an operation failed (ERR-003). `gone` is HTTP 410: it was there and is not any more. */
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
] as const;

/** One of the reasons of a failed operation. */
export type FailureReason = (typeof failureReasons)[number];

/** Where a list goes on: `next` goes back in as the operation's own paging input; null at the end. */
export type Pagination = Readonly<{ next: string | null; hasMore: boolean }>;

/** A failed call: `message` is ours, says what was wrong and what would be right; `details` is what the provider said, as data. */
export type Failure = Readonly<{
  ok: false;
  reason: FailureReason;
  message: string;
  /** Milliseconds to wait before another try; only with `rate_limited` and `unavailable`. */
  retryAfterMs?: number;
  details?: unknown;
  /** What is wrong with the input, by our own check; the edges tell it as `details`. */
  inputErrors?: readonly InputError[];
}>;

/** A call that worked. `warnings` says what a partial success left undone. */
export type Success<Data = unknown> = Readonly<{
  ok: true;
  data: Data;
  pagination?: Pagination;
  warnings?: readonly string[];
}>;

/** What every outbound operation ends as (REST-002, ERR-003). */
export type Outcome<Data = unknown> = Success<Data> | Failure;

/** A success with data. */
export const succeeded = <Data>(data: Data, pagination?: Pagination): Success<Data> =>
  pagination === undefined ? { ok: true, data } : { ok: true, data, pagination };

/** A failure with a reason. */
export const failed = (
  reason: FailureReason,
  message: string,
  more: Readonly<{ retryAfterMs?: number; details?: unknown }> = {},
): Failure => ({ ok: false, reason, message, ...more });

/** The failure of an input that our own check refused, so that nothing was sent. */
export const refusedInput = (inputErrors: readonly InputError[]): Failure => {
  const text = errorsText(inputErrors);
  return { ...failed('invalid_input', `Portolan did not send this: ${lowerFirst(text)}`), inputErrors };
};

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
