import { z } from 'zod';
import type { WebhookKeys } from '#adapters/contracts/webhook-keys.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { type AesGcmBox, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

/** The number of secrets kept for each receiver. */
const maxKept = 5;
/** The minimum time between two reads of a receiver's secrets, in ms: anybody can send a delivery that is not verified. */
const readEveryMs = 5_000;

const stored = z.array(z.string());

/** Stores the secrets of webhooks among the server's facts. One that was encrypted with a former key is re-encrypted. */
export class SealedWebhookKeys implements WebhookKeys {
  readonly #facts: ServerFacts;
  readonly #box: Pick<AesGcmBox, 'seal' | 'open' | 'isOutdated'>;
  readonly #clock: Clock;
  readonly #known = new Map<string, readonly string[]>();
  readonly #readAt = new Map<string, number>();

  constructor(facts: ServerFacts, box: Pick<AesGcmBox, 'seal' | 'open' | 'isOutdated'>, clock: Clock) {
    this.#facts = facts;
    this.#box = box;
    this.#clock = clock;
  }

  of(receiver: string): readonly string[] {
    return this.#known.get(receiver) ?? [];
  }

  async reload(receiver: string): Promise<boolean> {
    const now = this.#clock.now();
    const readAt = this.#readAt.get(receiver);
    if (readAt !== undefined && now >= readAt && now - readAt < readEveryMs) return false;
    this.#readAt.set(receiver, now);
    return this.#read(receiver);
  }

  async keep(receiver: string, secret: string): Promise<void> {
    await this.#read(receiver);
    const known = this.of(receiver);
    if (known[0] === secret) return;
    const kept = [secret, ...known.filter((one) => one !== secret)].slice(0, maxKept);
    await this.#facts.replace(factOf(receiver), this.#box.seal(JSON.stringify(kept), contextOf(receiver)));
    this.#known.set(receiver, kept);
  }

  async #read(receiver: string): Promise<boolean> {
    const sealed = await this.#facts.find(factOf(receiver));
    const read = sealed === null ? [] : this.#opened(sealed, receiver);
    if (sealed !== null && read.length > 0 && this.#box.isOutdated(sealed)) {
      await this.#facts.replace(factOf(receiver), this.#box.seal(JSON.stringify(read), contextOf(receiver)));
    }
    const before = this.of(receiver);
    this.#known.set(receiver, read);
    return read.length !== before.length || read.some((secret, at) => secret !== before[at]);
  }

  /** None when they cannot be decrypted: the next check at the provider stores them again. */
  #opened(sealed: string, receiver: string): readonly string[] {
    try {
      return stored.parse(JSON.parse(this.#box.open(sealed, contextOf(receiver))));
    } catch (error) {
      if (error instanceof NotOpened) return [];
      throw error;
    }
  }
}

function factOf(receiver: string): string {
  return `webhook_keys/${receiver}`;
}

function contextOf(receiver: string): string {
  return `server_facts/${factOf(receiver)}`;
}
