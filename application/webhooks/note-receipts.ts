import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { type Delivery, deliveryIdOf, type StaleRejection } from '#domain/webhooks/delivery.ts';

/** The dependencies of the use case. `secretIds` are the ids of each service's secrets in order of configuration. */
type NoteReceiptsDependencies = Readonly<{
  log: ReceiptLog;
  secretIds: Readonly<Record<string, readonly string[]>>;
  clock: Clock;
  logger: Logger;
}>;

/** The minimum interval between two writes of one secret's use, in ms. */
const everyMs = 60_000;

/** The maximum number of queued writes; more are dropped, so that a flood of stale deliveries cannot exhaust memory. */
const maxWaiting = 100;

/**
 * Records, without delaying the answer, which secrets verify deliveries and which deliveries are stale. Errors are
 * logged and never fail a delivery.
 */
export class NoteReceipts {
  readonly #dependencies: NoteReceiptsDependencies;
  readonly #noted = new Map<string, number>();
  #waiting = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: NoteReceiptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records that a secret, given by its index in the configuration, verified a delivery. */
  verified(service: ServiceKey, secret: number): void {
    const { log, secretIds, clock } = this.#dependencies;
    const secretId = own(secretIds, service)?.[secret];
    const usedAt = clock.now();
    if (secretId === undefined || usedAt - (this.#noted.get(`${service}/${secretId}`) ?? 0) < everyMs) return;
    this.#noted.set(`${service}/${secretId}`, usedAt);
    this.#write(() => log.noteUse({ service, secretId, usedAt }));
  }

  /** Records an authentic delivery that was rejected because of its age. */
  stale({ service, body }: Delivery, { deliveryId: given, ageMs, secret }: StaleRejection): void {
    const { log, clock } = this.#dependencies;
    const stale = { service, deliveryId: deliveryIdOf(given, body), receivedAt: clock.now(), ageMs };
    this.verified(service, secret);
    this.#write(() => log.noteStale(stale));
  }

  /** Resolves when all writes are done. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #write(task: () => Promise<void>): void {
    if (this.#waiting >= maxWaiting) return;
    this.#waiting += 1;
    this.#writing = this.#writing
      .then(task)
      .catch((error: unknown) => this.#dependencies.logger.error({ err: error }, 'Receipt could not be recorded'))
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}
