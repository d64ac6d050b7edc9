import { z } from 'zod';
import { openFact, SealedFact, type SealedFactPlace } from '#adapters/stores/sealed-fact.ts';
import type { EnteredSetting, EnteredSettings } from '#application/ports/entered-settings.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { enteredLease, enteredLeaseMs } from '#application/setup/provider-settings.ts';
import type { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';

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

/** Where all of them are stored: as one encrypted text. */
export const enteredPlace: SealedFactPlace<readonly EnteredSetting[]> = {
  fact: 'provider_settings',
  schema: stored,
  lease: enteredLease,
  leaseMs: enteredLeaseMs,
};

/** Decrypts what was entered; none when that cannot be done. */
export function openEntered(sealed: string, box: Pick<AesGcmBox, 'open'>): readonly EnteredSetting[] {
  return openFact(sealed, box, enteredPlace) ?? [];
}

/** Stores what administrators entered among the server's facts, as one encrypted text. */
export class SealedEnteredSettings implements EnteredSettings {
  readonly #fact: SealedFact<readonly EnteredSetting[]>;

  constructor(facts: Pick<ServerFacts, 'find' | 'replace'>, box: Pick<AesGcmBox, 'seal' | 'open'>) {
    this.#fact = new SealedFact(facts, box, enteredPlace);
  }

  async read(): Promise<readonly EnteredSetting[]> {
    return (await this.#fact.read()) ?? [];
  }

  replace(entered: readonly EnteredSetting[]): Promise<void> {
    return this.#fact.replace(entered);
  }
}
