import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The time limit of one call for a webhook, in ms. */
const timeoutMs = 45_000;

/** Calls an operation of one service on behalf of a user's webhooks. */
export type WebhookCall = (
  userId: number,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Outcome>;

/** Builds the caller of a service's operations for webhooks, with a time limit for each call. */
export function webhookCalls(caller: OperationCaller, service: ServiceKey): WebhookCall {
  return (userId, name, input, signal) => {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    return caller.call({ userId, service, name, input, signal: AbortSignal.any(limits) });
  };
}
