import { sealedTexts } from '#adapters/stores/sealed-connections.ts';
import type { ConnectionPlace, ConnectionStore } from '#application/ports/connections.ts';
import type { KeyCount, Reencrypted, SealedValues } from '#application/ports/sealed-values.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { type AesGcmBox, countByKey } from '#infrastructure/crypto/aes-gcm-box.ts';

const batchSize = 100;

/** The stored credentials of all connections, for counting and re-encrypting (key rotation) over any store. */
export class SealedCredentials implements SealedValues {
  readonly name = 'connections';
  readonly #store: Pick<ConnectionStore, 'places' | 'reload' | 'rewrite'>;
  readonly #box: AesGcmBox;

  constructor(store: Pick<ConnectionStore, 'places' | 'reload' | 'rewrite'>, box: AesGcmBox) {
    this.#store = store;
    this.#box = box;
  }

  async count(): Promise<readonly KeyCount[]> {
    const texts: string[] = [];
    for (const place of await this.#store.places()) {
      const record = await this.#record(place);
      if (record !== null) texts.push(...sealedTexts(record).map(({ text }) => text));
    }
    return this.#box.keyCounts(countByKey(texts));
  }

  async reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted> {
    const total = (await this.count()).reduce((sum, { isCurrent, values }) => sum + (isCurrent ? 0 : values), 0);
    let sofar: Reencrypted = { reencrypted: 0, unreadable: 0, total };
    if (total === 0) return sofar;
    const places = await this.#store.places();
    for (let at = 0; at < places.length && !signal.aborted; at += batchSize) {
      for (const place of places.slice(at, at + batchSize)) {
        const { reencrypted, unreadable } = await this.#reencryptOne(place);
        sofar = { total, reencrypted: sofar.reencrypted + reencrypted, unreadable: sofar.unreadable + unreadable };
      }
      onBatch(sofar);
    }
    return sofar;
  }

  async #reencryptOne(place: ConnectionPlace): Promise<Pick<Reencrypted, 'reencrypted' | 'unreadable'>> {
    const before = await this.#record(place);
    const outdated = before === null ? [] : sealedTexts(before).filter(({ text }) => this.#box.isOutdated(text));
    if (before === null || outdated.length === 0) return { reencrypted: 0, unreadable: 0 };
    const anew = outdated.map(({ member, text, context }) => [member, this.#box.resealed(text, context)] as const);
    if (anew.some(([, text]) => text === null)) return { reencrypted: 0, unreadable: outdated.length };
    // A value that was stored in the meantime is already encrypted with the current key.
    const isChanged = await this.#store.rewrite(before, { ...before, ...Object.fromEntries(anew) });
    return { reencrypted: isChanged ? outdated.length : 0, unreadable: 0 };
  }

  async #record({ userId, service }: ConnectionPlace): Promise<TokenRecord | null> {
    return (await this.#store.reload(userId, service))?.record ?? null;
  }
}
