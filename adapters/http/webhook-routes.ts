import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, maxDeliveryBytes } from '#domain/webhooks/delivery.ts';
import { retryAfterS } from '#infrastructure/database/database-unavailable.ts';
import { readBytes } from '#infrastructure/http/server-bodies.ts';

/** The use case behind the receivers. */
type Receive = Readonly<{ run(delivery: Delivery): Promise<Result<unknown, DeliveryRejection>> }>;

/** The response to a rejected sender; the reason is only logged. */
const answers: Readonly<Record<DeliveryRejection['reason'], Readonly<{ status: number; error: string }>>> = {
  too_large: { status: 413, error: 'too_large' },
  not_json: { status: 400, error: 'not_json' },
  no_secret: { status: 401, error: 'unauthorized' },
  unsigned: { status: 401, error: 'unauthorized' },
  bad_signature: { status: 401, error: 'unauthorized' },
  foreign_address: { status: 401, error: 'unauthorized' },
  stale: { status: 401, error: 'unauthorized' },
};

/**
 * Serves a receiver for each service that sends webhooks, `POST /webhooks/{service}` (HOOK-001, HOOK-002). The body is
 * read as bytes, at most 1 MiB; a stored delivery is answered 200 `{"received":true}`, as is a duplicate. While `trouble`
 * says why nothing can be stored, deliveries are answered 503, and their senders repeat them.
 */
export function webhookRoutes(
  receive: Receive,
  senders: readonly ServiceKey[],
  trouble: () => string | null = () => null,
): readonly Route[] {
  return senders.map((service) => ({
    method: 'POST',
    path: `/webhooks/${service}`,
    who: 'public',
    body: 'none',
    run: async (ctx) => {
      const body = await readBytes(ctx.req, maxDeliveryBytes);
      if (body === 'aborted') {
        ctx.status = 400;
        ctx.body = { error: 'aborted' };
        return;
      }
      if (body === 'too_large') return refuse(ctx, 'too_large');
      if (trouble() !== null) {
        ctx.set('Retry-After', String(retryAfterS));
        ctx.status = 503;
        ctx.body = { error: 'unavailable', error_description: 'Deliveries cannot be stored at the moment.' };
        return;
      }
      const { headers, query } = ctx;
      const received = await receive.run({ service, headers, query, body, address: ctx.ip });
      if (received.ok) ctx.body = { received: true };
      else refuse(ctx, received.failure.reason);
    },
  }));
}

function refuse(ctx: RouteContext, reason: DeliveryRejection['reason']): void {
  const { status, error } = answers[reason];
  ctx.status = status;
  ctx.body = { error };
}
