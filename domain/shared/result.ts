/**
 * The result of an operation whose expected failures are returned instead of thrown: a value, or a failure with a
 * `reason`.
 */
export type Result<Value, Failure> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: Failure }>;

/** Creates a success. */
export const ok = <Value>(value: Value): Readonly<{ ok: true; value: Value }> => ({ ok: true, value });

/** Creates a failure; `failure.reason` is a term of docs/specification.md where that defines one. */
export const err = <const Failure>(failure: Failure): Readonly<{ ok: false; failure: Failure }> => ({
  ok: false,
  failure,
});

/** A value, or the promise of one; lets callers skip the wait for values that are available synchronously. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Passes a value to `use`: synchronously when it is available, else when its promise is fulfilled. An error that `use`
 * throws synchronously is thrown.
 */
export function andThen<Value, Next>(value: Awaitable<Value>, use: (value: Value) => Awaitable<Next>): Awaitable<Next> {
  return value instanceof Promise ? value.then(use) : use(value);
}
