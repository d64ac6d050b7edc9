import type { AccessTokens } from '#application/connections/access-tokens.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import { isRenewalDue } from '#domain/tokens/refresh-due.ts';

/** What the use case works with. */
export type RenewDueTokensParts = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  grants: ProviderGrants;
  accessTokens: AccessTokens;
  clock: Clock;
}>;

/** Renews every token that is due, before it expires (contract, Token lifetimes: the background job). */
export class RenewDueTokens {
  readonly #parts: RenewDueTokensParts;

  constructor(parts: RenewDueTokensParts) {
    this.#parts = parts;
  }

  /** How many tokens were renewed. Connections that need their user are left alone; a provider that is down is tried next time. */
  async run(): Promise<number> {
    const { tokens, standings, grants, accessTokens, clock } = this.#parts;
    let renewed = 0;
    for (const record of await tokens.all()) {
      if (!isRenewalDue(record, grants.renewEveryMs(record.service), clock.now())) continue;
      const standing = await standings.find(record.userId, record.service);
      if (standing?.state === 'reconnect') continue;
      const result = await accessTokens.renew(record);
      if (result.ok) renewed += 1;
    }
    return renewed;
  }
}
