import { bodyContext } from '#adapters/stores/sealed-inbox.ts';
import type { KeyCount, Reencrypted, SealedValues } from '#application/ports/sealed-values.ts';
import type { BodyChange, StoredBody, WebhookInboxStore } from '#application/ports/webhook-inbox.ts';
import { type AesGcmBox, countByKey } from '#infrastructure/crypto/aes-gcm-box.ts';

const batchSize = 100;

/** The stored bodies of deliveries, for counting and re-encrypting (key rotation) over any inbox. */
export class SealedBodies implements SealedValues {
  readonly name = 'deliveries';
  readonly #store: Pick<WebhookInboxStore, 'bodies' | 'rewriteBodies'>;
  readonly #box: AesGcmBox;

  constructor(store: Pick<WebhookInboxStore, 'bodies' | 'rewriteBodies'>, box: AesGcmBox) {
    this.#store = store;
    this.#box = box;
  }

  async count(): Promise<readonly KeyCount[]> {
    const keyIds = new Map<string, number>();
    for await (const batch of this.#batches()) {
      for (const [keyId, values] of countByKey(batch.map(({ body }) => body))) {
        keyIds.set(keyId, (keyIds.get(keyId) ?? 0) + values);
      }
    }
    return this.#box.keyCounts(keyIds);
  }

  async reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted> {
    const total = (await this.count()).reduce((sum, { isCurrent, values }) => sum + (isCurrent ? 0 : values), 0);
    let sofar: Reencrypted = { reencrypted: 0, unreadable: 0, total };
    if (total === 0) return sofar;
    for await (const batch of this.#batches()) {
      if (signal.aborted) break;
      const outdated = batch.filter(({ body }) => this.#box.isOutdated(body));
      if (outdated.length === 0) continue;
      const changes = outdated.flatMap((stored) => this.#anew(stored) ?? []);
      const reencrypted = sofar.reencrypted + (await this.#store.rewriteBodies(changes));
      sofar = { total, reencrypted, unreadable: sofar.unreadable + outdated.length - changes.length };
      onBatch(sofar);
    }
    return sofar;
  }

  async *#batches(): AsyncGenerator<readonly StoredBody[]> {
    for (let after = -1; ; ) {
      const batch = await this.#store.bodies({ after, limit: batchSize });
      const last = batch.at(-1);
      if (last === undefined) return;
      yield batch;
      after = last.seq;
    }
  }

  /** Re-encrypts a body; null when it cannot be decrypted. */
  #anew(stored: StoredBody): BodyChange | null {
    const after = this.#box.resealed(stored.body, bodyContext(stored));
    return after === null ? null : { seq: stored.seq, before: stored.body, after };
  }
}
