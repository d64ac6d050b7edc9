/** What can be expected to go wrong is returned, not thrown: a value, or a failure tagged by its `reason`. */
export type Result<Value, Failure> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: Failure }>;

/** A success. */
export const ok = <Value>(value: Value): Readonly<{ ok: true; value: Value }> => ({ ok: true, value });

/** A failure; `failure.reason` is a word of docs/specification.md where that has one. */
export const err = <const Failure>(failure: Failure): Readonly<{ ok: false; failure: Failure }> => ({
  ok: false,
  failure,
});
