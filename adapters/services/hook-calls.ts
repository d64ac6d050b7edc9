import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How long one call for a hook may take, in ms. */
const timeoutMs = 45_000;

/** Calls an operation of one service for a user's hooks. */
export type HookCall = (
  userId: number,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Outcome>;

/** The calls of a service's operations for its hooks, each bounded in time. */
export function hookCalls(caller: OperationCaller, service: ServiceKey): HookCall {
  return (userId, name, input, signal) => {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    return caller.call({ userId, service, name, input, signal: AbortSignal.any(limits) });
  };
}
