import { setImmediate } from 'node:timers/promises';
import type { GrantFailure, ProviderGrants } from '#application/ports/provider-grants.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const unused = (): never => {
  throw new Error('not used here');
};

/** An authorization server whose refresh tokens count once. `pace` is what it waits for before it answers. */
export class RotatingProvider implements ProviderGrants {
  readonly begin = unused;
  readonly exchange = unused;
  readonly isReporter = () => false;
  /** The refresh tokens that it was shown, in order. */
  readonly shown: string[] = [];
  failure: GrantFailure | null = null;
  pace: () => Promise<unknown> = () => setImmediate();
  #good = 'refresh-0';
  #given = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>> {
    const shown = record.refreshToken ?? '';
    this.shown.push(shown);
    await this.pace();
    if (this.failure !== null) return err(this.failure);
    if (shown !== this.#good) return err({ reason: 'refused', message: 'The grant is gone.' });
    this.#given += 1;
    this.#good = `refresh-${this.#given}`;
    const now = this.#now();
    const accessToken = `access-${this.#given}`;
    return ok({ ...record, accessToken, refreshToken: this.#good, expiresAt: now + 3_600_000, updatedAt: now });
  }

  /** Whether an access token is the newest. */
  accepts(accessToken: string): boolean {
    return accessToken === `access-${this.#given}`;
  }

  async revoke(): Promise<boolean> {
    return false;
  }

  renewEveryMs(): number {
    return 50 * 60_000;
  }

  renewedServices() {
    return serviceKeys.map((service) => ({ service, everyMs: 50 * 60_000 }));
  }
}
