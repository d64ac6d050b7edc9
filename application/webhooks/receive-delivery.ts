import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { NewInboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import type { DeliveryPart, WebhookSource } from '#application/ports/webhook-source.ts';
import type { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { RefusalLog } from '#application/webhooks/refusal-log.ts';
import type { Intake } from '#application/webhooks/work-pace.ts';
import { calledFor } from '#domain/reactions/react.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, deliveryIdOf, maxDeliveryBytes } from '#domain/webhooks/delivery.ts';

/** The dependencies of the use case. `onKept` is called when there are new entries. */
type ReceiveDeliveryDependencies = Readonly<{
  sources: readonly WebhookSource[];
  /** The reactions that will handle the events; they declare which service processing an event will call. */
  reactions: readonly Reaction[];
  inbox: WebhookInbox;
  receipts: NoteReceipts;
  metrics: WebhookMetrics;
  clock: Clock;
  logger: Logger;
  /** Null when tracing is off. */
  tracer?: Pick<Tracer, 'traceparent'> | null;
  onKept: () => void;
  /** Whether there is time for another delivery; always when not given. */
  pace?: Omit<Intake, 'mayCall'>;
}>;

/** The rejections that other secrets would change. */
const changeable: readonly DeliveryRejection['reason'][] = ['no_secret', 'bad_signature'];

/** The maximum number of events in one delivery. */
const maxParts = 1_000;

/** The maximum length of what one delivery stores, in characters: each of its events may carry what they share. */
const maxStored = 8 * maxDeliveryBytes;

/**
 * Receives a delivery: verifies its raw bytes and stores it durably before the sender is answered; everything else
 * happens later. Throws only when it could not be stored, and then it is not acknowledged.
 */
export class ReceiveDelivery {
  readonly #dependencies: ReceiveDeliveryDependencies;
  readonly #refusals: RefusalLog;

  constructor(dependencies: ReceiveDeliveryDependencies) {
    const { clock, logger } = dependencies;
    this.#dependencies = dependencies;
    this.#refusals = new RefusalLog(clock, logger, 'Deliveries refused: too little processor time');
  }

  /** Whether this server is so short of processor time that it may refuse deliveries. */
  isBusy(): boolean {
    return this.#dependencies.pace?.isBusy() === true;
  }

  /** Whether a delivery is refused, since this server has no processor time for it (INBOX-021). */
  refuses(service: ServiceKey): boolean {
    if (this.#dependencies.pace?.isFull() !== true) return false;
    this.#refuse(service);
    return true;
  }

  /** Whether a delivery may be received although it is busy (INBOX-021). */
  mayReceive(service: ServiceKey): boolean {
    if (this.#dependencies.pace?.mayReceive() !== false) return true;
    this.#refuse(service);
    return false;
  }

  #refuse(service: ServiceKey): void {
    this.#dependencies.metrics.received(service, 'busy');
    this.#refusals.add();
  }

  /** Records that a delivery that might be received was not: its sender has given up. */
  notReceived(): void {
    this.#dependencies.pace?.notReceived();
  }

  /**
   * Receives one delivery; `isNew` is false for a duplicate. A rejected delivery is only logged and counted; one that
   * is authentic but stale is also recorded.
   */
  async run(delivery: Delivery): Promise<Result<Readonly<{ isNew: boolean }>, DeliveryRejection>> {
    const { inbox, receipts, metrics, logger } = this.#dependencies;
    const { service } = delivery;
    const verified = await this.#verifyTwice(delivery);
    if (!verified.ok) {
      const { reason, detail } = verified.failure;
      metrics.received(service, reason);
      logger.warn({ service, reason, detail }, 'Delivery refused');
      if (verified.failure.reason === 'stale') receipts.stale(delivery, verified.failure);
      return verified;
    }
    const { entries, deliveryId, secret } = verified.value;
    const kept = await inbox.keep(entries);
    receipts.verified(service, secret);
    metrics.received(service, kept > 0 ? 'kept' : 'repeated');
    logger.info({ delivery: `${service}/${deliveryId}`, kept }, kept > 0 ? 'delivery kept' : 'delivery repeated');
    if (kept > 0) this.#dependencies.onKept();
    return ok({ isNew: kept > 0 });
  }

  /** Verifies a delivery, once more if the secrets of its sender have changed. */
  async #verifyTwice(delivery: Delivery) {
    const { clock } = this.#dependencies;
    const verified = this.#verify(delivery, clock.now());
    if (verified.ok || !changeable.includes(verified.failure.reason)) return verified;
    const hasChanged = (await this.#sourceOf(delivery)?.refresh?.()) === true;
    return hasChanged ? this.#verify(delivery, clock.now()) : verified;
  }

  #sourceOf({ service }: Delivery): WebhookSource | undefined {
    return this.#dependencies.sources.find((source) => source.service === service);
  }

  #verify(delivery: Delivery, now: number) {
    if (delivery.body.length > maxDeliveryBytes) return refused('too_large', `${delivery.body.length} bytes`);
    const source = this.#sourceOf(delivery);
    if (source === undefined) return refused('no_secret', `no receiver is set up for ${delivery.service}`);
    const verified = source.verify(delivery, now);
    if (!verified.ok) return verified;
    const parts = source.parts(verified.value.body);
    if (parts.length > maxParts) return refused('too_large', `${parts.length} events in one delivery`);
    const bodies = storedBodies(parts);
    if (bodies === null) return refused('too_large', `more than ${maxStored} characters in its events`);
    const deliveryId = deliveryIdOf(verified.value.deliveryId, delivery.body);
    const entries = this.#entries(source, deliveryId, parts, bodies);
    return ok({ entries, deliveryId, secret: verified.value.secret });
  }

  /** Creates one entry for each part; a part whose record is unknown gets an order key of its own. */
  #entries(
    { service }: WebhookSource,
    deliveryId: string,
    parts: readonly DeliveryPart[],
    bodies: readonly string[],
  ): readonly NewInboxEntry[] {
    const traceparent = this.#dependencies.tracer?.traceparent() ?? null;
    return parts.map(({ name, orderKey }, index) => {
      const id = parts.length === 1 ? deliveryId : `${deliveryId}/${index + 1}`;
      return {
        service,
        deliveryId: id,
        orderKey: orderKey ?? `${service}:delivery:${id}`,
        event: name,
        calls: calledFor(this.#dependencies.reactions, { service, name }),
        ...(traceparent === null ? {} : { traceparent }),
        body: bodies[index] ?? '',
      };
    });
  }
}

/** The bodies of the events as they are stored; null when they are too long together. */
function storedBodies(parts: readonly DeliveryPart[]): readonly string[] | null {
  const bodies: string[] = [];
  let left = maxStored;
  for (const { body } of parts) {
    const text = JSON.stringify(body);
    left -= text.length;
    if (left < 0) return null;
    bodies.push(text);
  }
  return bodies;
}

function refused(reason: 'too_large' | 'no_secret', detail: string): Result<never, DeliveryRejection> {
  return err({ reason, detail });
}
