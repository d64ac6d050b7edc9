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

/** A value, or the promise of one: what is at hand is not waited for. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Continues with a value: at once when it is at hand, else when its promise is fulfilled. Throws what `use` throws when it is called at once. */
export function andThen<Value, Next>(value: Awaitable<Value>, use: (value: Value) => Awaitable<Next>): Awaitable<Next> {
  return value instanceof Promise ? value.then(use) : use(value);
}
