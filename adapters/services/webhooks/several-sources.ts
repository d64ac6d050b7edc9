import { z } from 'zod';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { idAtVendor } from '#domain/events/record-ref.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { DeliveryRejection } from '#domain/webhooks/delivery.ts';

/** A vendor's receiver; `secrets` is the number of its secrets. */
export type VendorSource = Readonly<{ vendor: string; source: WebhookSource; secrets: number }>;

const wrapped = z.strictObject({ vendor: z.string(), part: z.unknown() });

/** The rejections of deliveries that a vendor's secret proves, and then of those that it may have sent. */
const nearest: readonly DeliveryRejection['reason'][] = ['not_json', 'stale', 'bad_signature', 'foreign_address'];

/**
 * The receiver of a service with several vendors: a delivery is of the first vendor that verifies it. Its events name
 * their vendor, and the ids of all but the first vendor's records begin with it, since the ids of two vendors may be
 * the same.
 */
export function severalSources(service: ServiceKey, vendors: readonly VendorSource[]): WebhookSource {
  const [first] = vendors;
  if (first === undefined) throw new Error(`The service ${service} has no vendor that sends webhooks.`);
  const before = (at: number) => vendors.slice(0, at).reduce((sum, { secrets }) => sum + secrets, 0);
  // Parts that were received while there was one vendor are not wrapped.
  const opened = (value: unknown) => {
    const { vendor, part } = wrapped.safeParse(value).data ?? { vendor: first.vendor, part: value };
    return { of: vendors.find((one) => one.vendor === vendor), part };
  };
  const unknown = err({ reason: 'unknown', detail: 'its vendor does not serve this server any more' } as const);
  const named = ({ vendor }: VendorSource, event: ServiceEvent): ServiceEvent => {
    const id = vendor === first.vendor ? event.record.id : `${vendor}/${event.record.id}`;
    return { ...event, record: { ...event.record, id, vendor } };
  };
  const fetches = vendors.some(({ source }) => source.fetch !== undefined);
  const refreshing = vendors.filter(({ source }) => source.refresh !== undefined);
  const refresh = async () => {
    const changed = await Promise.all(refreshing.map(async ({ source }) => (await source.refresh?.()) === true));
    return changed.includes(true);
  };
  return {
    service,
    verify: (delivery, now) => {
      const rejections: DeliveryRejection[] = [];
      for (const [at, { vendor, source }] of vendors.entries()) {
        const verified = source.verify(delivery, now);
        if (verified.ok) {
          const { body, deliveryId, secret } = verified.value;
          return ok({ body: { vendor, part: body }, deliveryId, secret: secret + before(at) });
        }
        const { failure } = verified;
        rejections.push(failure.reason === 'stale' ? { ...failure, secret: failure.secret + before(at) } : failure);
      }
      return err(nearestOf(rejections));
    },
    parts: (body) => {
      const { of, part } = opened(body);
      return (of?.source.parts(part) ?? []).map(({ name, orderKey, body: event }) => ({
        name,
        orderKey: orderKey === null || of === first ? orderKey : `${orderKey}@${of?.vendor ?? ''}`,
        body: { vendor: of?.vendor, part: event },
      }));
    },
    read: (value, receivedAt) => {
      const { of, part } = opened(value);
      if (of === undefined) return unknown;
      const read = of.source.read(part, receivedAt);
      return read.ok ? ok(named(of, read.value)) : read;
    },
    ...(refreshing.length > 0 ? { refresh } : {}),
    ...(fetches
      ? {
          fetch: async (event, call) => {
            const of = vendors.find(({ vendor }) => vendor === event.record.vendor);
            if (of?.source.fetch === undefined) return ok(event);
            const { vendor: _, ...record } = { ...event.record, id: idAtVendor(event.record) };
            const fetched = await of.source.fetch({ ...event, record }, call);
            return fetched.ok ? ok(named(of, fetched.value)) : fetched;
          },
        }
      : {}),
  };
}

function nearestOf(rejections: readonly DeliveryRejection[]): DeliveryRejection {
  const found = nearest.flatMap((reason) => rejections.find((one) => one.reason === reason) ?? []);
  const [best = rejections[0]] = found;
  return best ?? { reason: 'no_secret', detail: 'no vendor sends webhooks' };
}
