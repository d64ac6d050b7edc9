import { z } from 'zod';
import type { SealedValues } from '#adapters/contracts/sealed-values.ts';
import type { EnteredSetting, EnteredSettings } from '#application/ports/entered-settings.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { enteredLease, enteredLeaseMs } from '#application/setup/provider-settings.ts';
import { type AesGcmBox, countByKey, NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

/** The name of the server fact that has all of them. */
export const enteredFact = 'provider_settings';
const context = `server_facts/${enteredFact}`;

const stored = z.array(
  z.object({
    service: z.string(),
    vendor: z.string(),
    name: z.string(),
    value: z.string(),
    userId: z.number(),
    at: z.number(),
  }),
);

/** Decrypts what was entered; none when that cannot be done. */
export function openEntered(sealed: string, box: Pick<AesGcmBox, 'open'>): readonly EnteredSetting[] {
  try {
    return stored.parse(JSON.parse(box.open(sealed, context)));
  } catch (error) {
    if (error instanceof NotOpened) return [];
    throw error;
  }
}

/** Stores what administrators entered among the server's facts, as one encrypted text. */
export class SealedEnteredSettings implements EnteredSettings {
  readonly #facts: Pick<ServerFacts, 'find' | 'replace'>;
  readonly #box: Pick<AesGcmBox, 'seal' | 'open'>;

  constructor(facts: Pick<ServerFacts, 'find' | 'replace'>, box: Pick<AesGcmBox, 'seal' | 'open'>) {
    this.#facts = facts;
    this.#box = box;
  }

  async read(): Promise<readonly EnteredSetting[]> {
    const sealed = await this.#facts.find(enteredFact);
    return sealed === null ? [] : openEntered(sealed, this.#box);
  }

  async replace(entered: readonly EnteredSetting[]): Promise<void> {
    await this.#facts.replace(enteredFact, this.#box.seal(JSON.stringify(entered), context));
  }
}

/** The same text for key rotation, under the lease of those who change it. */
export function sealedEntered(
  facts: Pick<ServerFacts, 'find' | 'replace'>,
  leases: Leases,
  { box, owner }: Readonly<{ box: AesGcmBox; owner: string }>,
): SealedValues {
  const texts = async () => [await facts.find(enteredFact)].filter((text) => text !== null);
  const reencrypted = async () => {
    const [text] = await texts();
    if (text === undefined || !box.isOutdated(text)) return { reencrypted: 0, unreadable: 0, total: 0 };
    const after = box.resealed(text, context);
    if (after === null) return { reencrypted: 0, unreadable: 1, total: 1 };
    await facts.replace(enteredFact, after);
    return { reencrypted: 1, unreadable: 0, total: 1 };
  };
  return {
    name: 'provider settings',
    count: async () => box.keyCounts(countByKey(await texts())),
    reencrypt: async () => {
      // An administrator who has it stores it with the current key.
      if ((await leases.acquire(enteredLease, owner, enteredLeaseMs)) === null) {
        return { reencrypted: 0, unreadable: 0, total: 0 };
      }
      try {
        return await reencrypted();
      } finally {
        await leases.release(enteredLease, owner);
      }
    },
  };
}
