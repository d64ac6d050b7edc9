/** Returns the work's value, or `instead` once the signal aborts; the work is not waited for any longer. */
export async function orWhenAborted<Value>(work: Promise<Value>, signal: AbortSignal, instead: Value): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const end = (): void => resolve(instead);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
