import { err, ok, type Result } from '#domain/shared/result.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** How long a connect flow waits for the browser to return from the provider, in ms: ten minutes. */
export const connectLifetimeMs = 600_000;

/**
 * Checks that a service whose only method besides OAuth is `keyMethod` can be connected by `method`. The failure lists
 * the accepted methods.
 */
export function checkMethod(
  keyMethod: AuthMethod | null,
  method: AuthMethod,
): Result<void, Readonly<{ reason: 'wrong_method'; right: readonly string[] }>> {
  const right = keyMethod === null ? [] : [keyMethod];
  return right.includes(method) ? ok(undefined) : err({ reason: 'wrong_method', right });
}
