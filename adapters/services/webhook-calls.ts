import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How long one call for a webhook may take, in ms. */
const timeoutMs = 45_000;

/** Calls an operation of one service for a user's webhooks. */
export type WebhookCall = (
  userId: number,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Outcome>;

/** The calls of a service's operations for its webhooks, each bounded in time. */
export function webhookCalls(caller: OperationCaller, service: ServiceKey): WebhookCall {
  return (userId, name, input, signal) => {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    return caller.call({ userId, service, name, input, signal: AbortSignal.any(limits) });
  };
}
