import type { z } from 'zod';
import type { SealedValues } from '#adapters/contracts/sealed-values.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { type AesGcmBox, countByKey, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

/** A fact of the server that is one encrypted text: its name, what it is, and the lease of those who change it. */
export type SealedFactPlace<Value> = Readonly<{
  fact: string;
  schema: z.ZodType<Value>;
  lease: string;
  leaseMs: number;
}>;

type Facts = Pick<ServerFacts, 'find' | 'replace'>;

const contextOf = (fact: string): string => `server_facts/${fact}`;

/** Decrypts the text of a fact; null when that cannot be done. */
export function openFact<Value>(
  sealed: string,
  box: Pick<AesGcmBox, 'open'>,
  { fact, schema }: Pick<SealedFactPlace<Value>, 'fact' | 'schema'>,
): Value | null {
  try {
    return schema.parse(JSON.parse(box.open(sealed, contextOf(fact))));
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}

/** Stores a value among the server's facts as one encrypted text. */
export class SealedFact<Value> {
  readonly #facts: Facts;
  readonly #box: Pick<AesGcmBox, 'seal' | 'open'>;
  readonly #place: SealedFactPlace<Value>;

  constructor(facts: Facts, box: Pick<AesGcmBox, 'seal' | 'open'>, place: SealedFactPlace<Value>) {
    this.#facts = facts;
    this.#box = box;
    this.#place = place;
  }

  /** Returns the value; null when there is none, or it cannot be decrypted. */
  async read(): Promise<Value | null> {
    const sealed = await this.#facts.find(this.#place.fact);
    return sealed === null ? null : openFact(sealed, this.#box, this.#place);
  }

  /** Replaces the value. */
  async replace(value: Value): Promise<void> {
    const { fact } = this.#place;
    await this.#facts.replace(fact, this.#box.seal(JSON.stringify(value), contextOf(fact)));
  }
}

/** The text of a fact for key rotation, under the lease of those who change it; `name` is for an administrator. */
export function sealedFactValues(
  { facts, leases }: Readonly<{ facts: Facts; leases: Leases }>,
  { fact, lease, leaseMs }: Omit<SealedFactPlace<unknown>, 'schema'>,
  { name, box, owner }: Readonly<{ name: string; box: AesGcmBox; owner: string }>,
): SealedValues {
  const texts = async () => [await facts.find(fact)].filter((text) => text !== null);
  const reencrypted = async () => {
    const [text] = await texts();
    if (text === undefined || !box.isOutdated(text)) return { reencrypted: 0, unreadable: 0, total: 0 };
    const after = box.resealed(text, contextOf(fact));
    if (after === null) return { reencrypted: 0, unreadable: 1, total: 1 };
    await facts.replace(fact, after);
    return { reencrypted: 1, unreadable: 0, total: 1 };
  };
  return {
    name,
    count: async () => box.keyCounts(countByKey(await texts())),
    reencrypt: async () => {
      // An administrator who has it stores it with the current key.
      if ((await leases.acquire(lease, owner, leaseMs)) === null) return { reencrypted: 0, unreadable: 0, total: 0 };
      try {
        return await reencrypted();
      } finally {
        await leases.release(lease, owner);
      }
    },
  };
}
