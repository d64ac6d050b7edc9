import type { BusyAnswer, ProgramRoute } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, maxDeliveryBytes } from '#domain/webhooks/delivery.ts';
import { retryAfterS } from '#infrastructure/database/database-unavailable.ts';
import { readBytes } from '#infrastructure/http/server-bodies.ts';

/** The use case behind the receivers. */
type Receive = Readonly<{
  /** Whether this server is so short of processor time that it may refuse deliveries. */
  isBusy(): boolean;
  /** Whether a delivery is refused, since there is no time for it. */
  refuses(service: ServiceKey): boolean;
  /** Whether a delivery may be received although it is busy. */
  mayReceive(service: ServiceKey): boolean;
  /** Records that it was not received after all. */
  notReceived(): void;
  run(delivery: Delivery): Promise<Result<unknown, DeliveryRejection>>;
}>;

/** When a sender that was refused because the server is busy may send the delivery again, in s. */
const busyRetryAfterS = 10;

const unavailableBody = { error: 'unavailable', error_description: 'Deliveries cannot be stored at the moment.' };
const busyAnswer: BusyAnswer = {
  status: 503,
  retryAfterS: busyRetryAfterS,
  body: JSON.stringify(unavailableBody),
};

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
 * read as bytes, at most 1 MiB; a stored delivery is answered 200 `{"received":true}`, as is a duplicate. While the server
 * is short of processor time it refuses some with 503 before it reads them (INBOX-021). While `trouble` says why nothing
 * can be stored, deliveries are answered 503, and their senders repeat them. `baseUrl` has no trailing slash.
 */
export function webhookRoutes(
  receive: Receive,
  senders: readonly ServiceKey[],
  { baseUrl, trouble = () => null }: Readonly<{ baseUrl: string; trouble?: () => string | null }>,
): readonly ProgramRoute[] {
  return senders.map((service) => ({
    method: 'POST',
    path: `/webhooks/${service}`,
    who: 'public',
    body: 'none',
    isProgram: true,
    refusal: () => (receive.refuses(service) ? busyAnswer : null),
    run: async (ctx) => {
      if (await mayTake(ctx, receive, service)) await take(ctx, { receive, service, baseUrl, trouble });
    },
  }));
}

const aborted = { error: 'aborted' } as const;

/** Waits until the event loop has looked for input once more: only then is a connection known to be closed. */
function polled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}

/** Whether the sender still waits for the answer. One that has given up will send the delivery again. */
function isWaitedFor({ req }: Visit): boolean {
  return req.socket.writable;
}

/** Whether the delivery may be received; while the server is busy, one that may not is answered at once. */
async function mayTake(ctx: Visit, receive: Receive, service: ServiceKey): Promise<boolean> {
  if (!receive.isBusy()) return true;
  if (!receive.mayReceive(service)) {
    unavailable(ctx, busyRetryAfterS);
    return false;
  }
  await polled();
  if (isWaitedFor(ctx)) return true;
  receive.notReceived();
  answer(ctx, 400, aborted);
  return false;
}

type Taken = Readonly<{ receive: Receive; service: ServiceKey; baseUrl: string; trouble(): string | null }>;

async function take(ctx: Visit, { receive, service, baseUrl, trouble }: Taken): Promise<void> {
  const { req, method, query, ip: address } = ctx;
  const body = await readBytes(req, maxDeliveryBytes);
  if (body === 'aborted' || (receive.isBusy() && !isWaitedFor(ctx))) return answer(ctx, 400, aborted);
  if (body === 'too_large') return refuse(ctx, 'too_large');
  if (trouble() !== null) return unavailable(ctx, retryAfterS);
  const url = `${baseUrl}${req.url ?? ''}`;
  const received = await receive.run({ service, method, url, headers: req.headers, query, body, address });
  if (received.ok) answer(ctx, 200, { received: true });
  else refuse(ctx, received.failure.reason);
}

function unavailable(ctx: Visit, afterS: number): void {
  ctx.set('Retry-After', String(afterS));
  answer(ctx, 503, unavailableBody);
}

function refuse(ctx: Visit, reason: DeliveryRejection['reason']): void {
  const { status, error } = answers[reason];
  answer(ctx, status, { error });
}

function answer(ctx: Visit, status: number, body: Readonly<Record<string, unknown>>): void {
  ctx.status = status;
  ctx.body = body;
}
