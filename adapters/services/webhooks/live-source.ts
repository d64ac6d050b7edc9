import type { FetchCall, WebhookSource } from '#application/ports/webhook-source.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { ok } from '#domain/shared/result.ts';

/**
 * A receiver that is made again whenever its configuration is another one, so that it verifies deliveries with the
 * secrets of that time. `reload` reads them again where another server may have changed them.
 */
export function liveSource<Configuration>(
  configuration: () => Configuration,
  make: (configuration: Configuration) => WebhookSource,
  reload: () => Promise<void>,
): WebhookSource {
  let made = configuration();
  let source = make(made);
  const current = (): WebhookSource => {
    const now = configuration();
    if (now !== made) [made, source] = [now, make(now)];
    return source;
  };
  const refresh = async () => {
    const before = current();
    const [hasOthers] = await Promise.all([before.refresh?.(), reload()]);
    return hasOthers === true || current() !== before;
  };
  const fetch = async (event: ServiceEvent, call: FetchCall) => (await current().fetch?.(event, call)) ?? ok(event);
  return {
    service: source.service,
    verify: (delivery, now) => current().verify(delivery, now),
    parts: (body) => current().parts(body),
    read: (part, receivedAt) => current().read(part, receivedAt),
    refresh,
    ...('fetch' in source ? { fetch } : {}),
  };
}
