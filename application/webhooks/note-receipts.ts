import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { type Delivery, deliveryIdOf, type StaleRefusal } from '#domain/webhooks/delivery.ts';

/** What noting needs. `secretIds` are the ids of a service's secrets in the order in which they are configured. */
export type NoteReceiptsDependencies = Readonly<{
  log: ReceiptLog;
  secretIds: Readonly<Record<string, readonly string[]>>;
  clock: Clock;
  logger: Logger;
}>;

/** How often one secret's use is written at most, in ms: a load of deliveries is not a load of these. */
const everyMs = 60_000;

/** How many notes wait for the store at most; more are let go, so that a flood of stale deliveries costs no memory. */
const maxWaiting = 100;

/**
 * Notes beside the answer, not before it, which secrets verify deliveries and which deliveries are stale. What cannot be noted
 * is told in the log and never fails a delivery.
 */
export class NoteReceipts {
  readonly #dependencies: NoteReceiptsDependencies;
  readonly #noted = new Map<string, number>();
  #waiting = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: NoteReceiptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** A secret (its place among those configured) verified a delivery. */
  verified(service: ServiceKey, secret: number): void {
    const { log, secretIds, clock } = this.#dependencies;
    const secretId = own(secretIds, service)?.[secret];
    const usedAt = clock.now();
    if (secretId === undefined || usedAt - (this.#noted.get(`${service}/${secretId}`) ?? 0) < everyMs) return;
    this.#noted.set(`${service}/${secretId}`, usedAt);
    this.#write(() => log.noteUse({ service, secretId, usedAt }));
  }

  /** A delivery of the sender's own was refused for its age. */
  stale({ service, body }: Delivery, { deliveryId: given, ageMs, secret }: StaleRefusal): void {
    const { log, clock } = this.#dependencies;
    const stale = { service, deliveryId: deliveryIdOf(given, body), receivedAt: clock.now(), ageMs };
    this.verified(service, secret);
    this.#write(() => log.noteStale(stale));
  }

  /** Resolves when everything that was to be noted is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #write(task: () => Promise<void>): void {
    if (this.#waiting >= maxWaiting) return;
    this.#waiting += 1;
    this.#writing = this.#writing
      .then(task)
      .catch((error: unknown) => this.#dependencies.logger.error({ err: error }, 'a receipt could not be noted'))
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}
