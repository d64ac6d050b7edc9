import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { DeliveryPart, WebhookSource } from '#application/ports/webhook-source.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRefusal, deliveryIdOf, maxDeliveryBytes } from '#domain/webhooks/delivery.ts';

/** What receiving needs. `onKept` is told when there is something new to work on. */
export type ReceiveDeliveryParts = Readonly<{
  sources: readonly WebhookSource[];
  inbox: WebhookInbox;
  clock: Clock;
  logger: Logger;
  onKept: () => void;
}>;

/**
 * Takes a delivery in: verifies its raw bytes and keeps it durably; nothing else happens before the sender is answered.
 * Throws only when it could not be kept, and then it is not acknowledged.
 */
export class ReceiveDelivery {
  readonly #parts: ReceiveDeliveryParts;

  constructor(parts: ReceiveDeliveryParts) {
    this.#parts = parts;
  }

  /** `isNew` is false for a delivery that was kept before. A refused one leaves no trace but a line in the log. */
  async run(delivery: Delivery): Promise<Result<Readonly<{ isNew: boolean }>, DeliveryRefusal>> {
    const { inbox, clock, logger } = this.#parts;
    const verified = this.#verify(delivery, clock.now());
    if (!verified.ok) {
      logger.warn({ service: delivery.service, ...verified.failure }, 'webhook delivery refused');
      return verified;
    }
    const { source, body, deliveryId: given } = verified.value;
    const deliveryId = deliveryIdOf(given, delivery.body);
    const kept = await inbox.keep(entries(source, deliveryId, source.parts(body)));
    logger.info(
      { delivery: `${source.service}/${deliveryId}`, kept },
      kept > 0 ? 'delivery kept' : 'delivery repeated',
    );
    if (kept > 0) this.#parts.onKept();
    return ok({ isNew: kept > 0 });
  }

  #verify(delivery: Delivery, now: number) {
    if (delivery.body.length > maxDeliveryBytes) return refused('too_large', `${delivery.body.length} bytes`);
    const source = this.#parts.sources.find(({ service }) => service === delivery.service);
    if (source === undefined) return refused('no_secret', `no receiver is set up for ${delivery.service}`);
    const verified = source.verify(delivery, now);
    if (!verified.ok) return verified;
    return ok({ source, ...verified.value });
  }
}

function refused(reason: DeliveryRefusal['reason'], detail: string): Result<never, DeliveryRefusal> {
  return err({ reason, detail });
}

/** One entry for each part; a part whose record cannot be told waits in a line of its own. */
function entries({ service }: WebhookSource, deliveryId: string, parts: readonly DeliveryPart[]) {
  return parts.map(({ name, orderKey, body }, index) => {
    const id = parts.length === 1 ? deliveryId : `${deliveryId}/${index + 1}`;
    return {
      service,
      deliveryId: id,
      orderKey: orderKey ?? `${service}:delivery:${id}`,
      event: name,
      body: JSON.stringify(body),
    };
  });
}
