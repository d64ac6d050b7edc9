import type { WebhookKeys } from '#adapters/contracts/webhook-keys.ts';
import type { FetchCall, WebhookSource } from '#application/ports/webhook-source.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { ok } from '#domain/shared/result.ts';

/** The index of a stored secret, whose use is not recorded. */
const stored = Number.MAX_SAFE_INTEGER;

/**
 * A source whose provider chooses the secret of its deliveries. `sourceWith` makes it with the stored secrets, which it
 * accepts besides those that are `configured`.
 */
export function keyedSource(
  sourceWith: (kept: readonly string[]) => WebhookSource,
  {
    keys,
    receiver,
    configured,
  }: Readonly<{ keys: Pick<WebhookKeys, 'of' | 'reload'>; receiver: string; configured: number }>,
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
    verify: (delivery, now) => {
      const verified = current().verify(delivery, now);
      return verified.ok && verified.value.secret >= configured ? ok({ ...verified.value, secret: stored }) : verified;
    },
    parts: (body) => current().parts(body),
    read: (part, receivedAt) => current().read(part, receivedAt),
    refresh: () => keys.reload(receiver),
    ...('fetch' in source ? { fetch } : {}),
  };
}
