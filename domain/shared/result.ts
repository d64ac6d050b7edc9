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

/** A value, or the promise of one: what is at hand is not waited for. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with a value: at once when it is at hand, else when its promise is kept. Throws what `next` throws where it goes on at once. */
export function andThen<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
