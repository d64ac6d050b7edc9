/**
 * The result of an operation with expected failures, which are returned instead of thrown: a value, or a failure with a
 * `reason`.
 */
export type Result<Value, Failure> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: Failure }>;

/** Creates a success. */
export const ok = <Value>(value: Value): Readonly<{ ok: true; value: Value }> => ({ ok: true, value });

/** Creates a failure; `failure.reason` is a word of docs/specification.md where that has one. */
export const err = <const Failure>(failure: Failure): Readonly<{ ok: false; failure: Failure }> => ({
  ok: false,
  failure,
});
