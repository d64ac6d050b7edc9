import { errorsText, type InputError } from '#domain/operations/input-error.ts';

/** The reasons why an operation fails (ERR-003). `gone` is HTTP 410: it was there and no longer is. */
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

/** One of the failure reasons. */
export type FailureReason = (typeof failureReasons)[number];

/**
 * The position after a page of a list: `next` is the operation's own paging input for the next page; null at the end.
 */
export type Pagination = Readonly<{ next: string | null; hasMore: boolean }>;

/**
 * A failed call: `message` is the server's own, says what was wrong and what would be right; `details` is what the
 * provider said, as data.
 */
export type Failure = Readonly<{
  ok: false;
  reason: FailureReason;
  message: string;
  /** The milliseconds to wait before a retry; only with `rate_limited` and `unavailable`. */
  retryAfterMs?: number;
  details?: unknown;
  /** The errors that the server's own check found in the input; the edges send them as `details`. */
  inputErrors?: readonly InputError[];
}>;

/** A successful call. `warnings` says what a partial success left undone. */
export type Success<Data = unknown> = Readonly<{
  ok: true;
  data: Data;
  pagination?: Pagination;
  warnings?: readonly string[];
}>;

/** The outcome of any outbound operation (REST-002, ERR-003). */
export type Outcome<Data = unknown> = Success<Data> | Failure;

/** Creates a success with data. */
export const succeeded = <Data>(data: Data, pagination?: Pagination): Success<Data> =>
  pagination === undefined ? { ok: true, data } : { ok: true, data, pagination };

/** Creates a failure with a reason. */
export const failed = (
  reason: FailureReason,
  message: string,
  more: Readonly<{ retryAfterMs?: number; details?: unknown }> = {},
): Failure => ({ ok: false, reason, message, ...more });

/** Creates the failure for an input that the server's own check rejected, so that nothing was sent. */
export const refusedInput = (inputErrors: readonly InputError[]): Failure => {
  const text = errorsText(inputErrors);
  return { ...failed('invalid_input', `Portolan did not send this: ${lowerFirst(text)}`), inputErrors };
};

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The maximum length of a record's id, in characters; a longer one is left out. */
const maxIdLength = 200;

type Values = Readonly<Record<string, unknown>>;

/**
 * The id of the record that a call was about: the path of a file that was asked for, else the id of the record that it answered
 * with, else of its input; with the module's name before it where a service has records of many modules. Null when there is none.
 */
export function recordIdOf(input: unknown, data: unknown): string | null {
  const given = valuesOf(input);
  const answered = valuesOf(data);
  const id = idOf(given['path']) ?? idOf(answered['id']) ?? idOf(given['id']) ?? idOf(answered['path']);
  const module = idOf(given['module']);
  const whole = id === null || module === null ? id : `${module}/${id}`;
  return whole === null || whole.length > maxIdLength ? null : whole;
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
