import type { AccessTokens } from '#application/connections/access-tokens.ts';
import { type KeepStandingParts, keepStanding } from '#application/connections/keep-standing.ts';
import { noteRefusal } from '#application/connections/refused-credentials.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ConnectionState } from '#domain/connections/connection.ts';
import { troubleOf } from '#domain/connections/next-look.ts';
import { standingOf } from '#domain/connections/standing-of.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import { isPermitted, type User } from '#domain/users/user.ts';

/** What the use case works with. */
export type TestConnectionParts = KeepStandingParts &
  Readonly<{
    tokens: OutboundTokens;
    probe: CredentialsProbe;
    accessTokens: Pick<AccessTokens, 'renew'>;
    names: ServiceNames;
  }>;

/** What a test found: whether the provider could be asked, and how the connection stands now. */
export type TestedConnection = Readonly<{
  service: ServiceKey;
  state: ConnectionState;
  checked: boolean;
  reason: string | null;
}>;

/** Tries a connection when its user asks for it, also one that had been given up. */
export class TestConnection {
  readonly #parts: TestConnectionParts;

  constructor(parts: TestConnectionParts) {
    this.#parts = parts;
  }

  /** Asks the provider with a request that reads little; renews first where a 401 can be mended. */
  async run(user: User, service: ServiceKey): Promise<Result<TestedConnection, Failure>> {
    if (isPermitted(user, service)) return this.probe(user.id, service);
    return err(failed('forbidden', `You may not use the ${this.#parts.names[service]}.`));
  }

  /** The same for the server itself, unasked. */
  async probe(userId: number, service: ServiceKey): Promise<Result<TestedConnection, Failure>> {
    const { tokens, standings, names } = this.#parts;
    const record = await tokens.find(userId, service);
    if (record === null) return err(failed('not_connected', `You are not connected to the ${names[service]}.`));
    if (!isReadable(record)) {
      const standing = standingOf(record, null);
      const reason = troubleOf(standing, this.#parts.clock.now());
      return ok({ service, state: standing.state, checked: false, reason });
    }
    const outcome = await this.#try(record);
    const isChecked = outcome.ok || (outcome.reason !== 'unavailable' && outcome.reason !== 'rate_limited');
    const current = (await tokens.find(userId, service)) ?? record;
    if (isChecked) await this.#note(current, outcome);
    const standing = standingOf(current, await standings.find(userId, service));
    const reason =
      troubleOf(standing, this.#parts.clock.now()) ?? standing.reason ?? (outcome.ok ? null : outcome.message);
    return ok({ service, state: standing.state, checked: isChecked, reason: outcome.ok ? null : reason });
  }

  async #try(record: TokenRecord): Promise<Outcome> {
    const { probe, accessTokens } = this.#parts;
    const first = await probe.probe(record);
    if (first.ok || first.reason !== 'unauthorized' || record.refreshToken === null) return first;
    const renewed = await accessTokens.renew(record);
    return renewed.ok ? probe.probe(renewed.value) : renewed.failure;
  }

  /** Any answer but 401 shows that the credentials sign in: what they may do there is another question. */
  async #note(record: TokenRecord, outcome: Outcome): Promise<void> {
    if (outcome.ok || outcome.reason !== 'unauthorized') {
      await keepStanding(this.#parts, record, { state: 'connected', reason: null });
      return;
    }
    await noteRefusal(this.#parts, record, { isProbe: true });
  }
}
