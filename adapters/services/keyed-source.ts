import type { WebhookKeys } from '#adapters/contracts/webhook-keys.ts';
import type { FetchCall, WebhookSource } from '#application/ports/webhook-source.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { ok } from '#domain/shared/result.ts';

/**
 * A source whose provider chooses the secret of its deliveries. `sourceWith` makes it with the stored secrets, which it
 * accepts besides those that are configured.
 */
export function keyedSource(
  sourceWith: (kept: readonly string[]) => WebhookSource,
  keys: Pick<WebhookKeys, 'of' | 'reload'>,
  receiver: string,
): WebhookSource {
  let kept = keys.of(receiver);
  let source = sourceWith(kept);
  const current = (): WebhookSource => {
    const now = keys.of(receiver);
    if (now !== kept) [kept, source] = [now, sourceWith(now)];
    return source;
  };
  const { service } = source;
  const fetch = async (event: ServiceEvent, call: FetchCall) => (await current().fetch?.(event, call)) ?? ok(event);
  return {
    service,
    verify: (delivery, now) => current().verify(delivery, now),
    parts: (body) => current().parts(body),
    read: (part, receivedAt) => current().read(part, receivedAt),
    refresh: () => keys.reload(receiver),
    ...('fetch' in source ? { fetch } : {}),
  };
}
