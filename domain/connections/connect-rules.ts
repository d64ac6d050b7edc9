import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** The time a browser has to come back from a provider, in ms: ten minutes. */
export const connectLifetimeMs = 600_000;

/** The connection methods of each service beside OAuth (CONN-002). */
export const keyMethods: Readonly<Record<ServiceKey, readonly Exclude<AuthMethod, 'oauth'>[]>> = {
  sales_crm: ['personal_token'],
  signing: ['api_key'],
  suite_crm: [],
  tracker: ['personal_token'],
  vault: ['api_key'],
};

/** Checks that a service can be connected by that method; the failure names the methods it accepts. */
export function checkMethod(
  service: ServiceKey,
  method: AuthMethod,
): Result<void, Readonly<{ reason: 'wrong_method'; right: readonly string[] }>> {
  const right: readonly string[] = keyMethods[service];
  return right.includes(method) ? ok(undefined) : err({ reason: 'wrong_method', right });
}
