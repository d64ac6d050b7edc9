import type { FindClient } from '#application/oauth/find-client.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Random } from '#application/ports/random.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import { grantIdBytes } from '#domain/oauth/app-grant.ts';
import {
  type AuthorizationCode,
  type CodeExchange,
  checkExchange,
  codeLifetimeS,
  type ExchangeReason,
} from '#domain/oauth/authorization-code.ts';
import type { KnownClient } from '#domain/oauth/client.ts';
import { exchangeDigest, isRepeated } from '#domain/oauth/code-use.ts';
import { fullScope } from '#domain/oauth/grant.ts';
import { isValidFor, sessionLifetimeS } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The access token for a client (TOKEN-002, TOKEN-015). `scope` is the token's grant, null for full access. */
type AccessToken = Readonly<{ userId: number; accessToken: string; expiresInS: number; scope: string | null }>;

/** The ports that the exchange uses. */
type ExchangePorts = Readonly<{
  codes: AuthorizationCodes;
  clients: Pick<Clients, 'noteSignIn'>;
  findClient: FindClient;
  users: Users;
  tokens: SessionTokens;
  grants: Pick<Grants, 'keep' | 'list' | 'remove'>;
  random: Random;
  clock: Clock;
}>;

/**
 * The rules of the exchange: whether PKCE and secrets are required, and the audience of tokens (RFC 8707 §2.2); null
 * for none.
 */
type ExchangeRules = Readonly<{ isStrict: boolean; audience: string | null }>;

/** Why there is no token; `revoked` is the user and grant of a code that was used before, and is revoked for that. */
type ExchangeFailure = Readonly<{
  reason: ExchangeReason;
  revoked?: Readonly<{ userId: number; grantId: string }>;
}>;

/**
 * Exchanges a code for an access token, once, and stores the grant that the token names. A failed exchange leaves the
 * code valid; an expired code is removed. Using a code again revokes what was issued for it (CODE-011).
 */
export class ExchangeCode {
  readonly #ports: ExchangePorts;
  readonly #rules: ExchangeRules;

  constructor(ports: ExchangePorts, rules: ExchangeRules) {
    this.#ports = ports;
    this.#rules = rules;
  }

  /**
   * Returns the token, or why there is none (TOKEN-007). An unknown client, for example one lost in a restart, gets
   * `invalid_client`.
   */
  async run(exchange: CodeExchange & Readonly<{ code: string }>): Promise<Result<AccessToken, ExchangeFailure>> {
    const { codes, clients, findClient, clock } = this.#ports;
    const { isStrict, audience } = this.#rules;
    const now = clock.now();
    const code = await codes.find(exchange.code);
    const client = await findClient.forExchange(exchange.clientId, code?.clientId ?? null);
    if (code === null) return this.#refuseUsed(exchange, client === null ? 'invalid_client' : 'invalid_code');
    const checked = checkExchange(code, exchange, { client, now, isStrict });
    if (!checked.ok) {
      if (checked.failure.reason === 'expired_code') await codes.remove(code.code);
      return checked;
    }
    if (!(await this.#isStillWanted(code))) return err({ reason: 'invalid_code' });
    // Recorded before the code is consumed: if this fails, the exchange can be retried.
    await clients.noteSignIn(code.clientId);
    const { userId, scope = null } = code;
    // Stored before the code is consumed too: whoever uses the code again finds the grant to revoke.
    const grantId = await this.#grant(code, client, now);
    if (!(await codes.consume(code.code, { userId, grantId, usedAt: now, exchange: exchangeDigest(exchange) }))) {
      await this.#ports.grants.remove(userId, grantId);
      return this.#refuseUsed(exchange, 'invalid_code');
    }
    const accessToken = await this.#ports.tokens.seal({
      userId,
      issuedAt: now,
      grantId,
      ...(scope === null ? {} : { scope }),
      ...(audience === null ? {} : { audience }),
    });
    return ok({ userId, accessToken, expiresInS: sessionLifetimeS, scope });
  }

  /** Refuses an exchange of a code that is not there, and revokes what was issued for it unless it was just repeated. */
  async #refuseUsed(
    exchange: CodeExchange & Readonly<{ code: string }>,
    reason: ExchangeReason,
  ): Promise<Result<AccessToken, ExchangeFailure>> {
    const { codes, grants, clock } = this.#ports;
    const use = await codes.useOf(exchange.code);
    if (use === null || isRepeated(use, exchange, clock.now())) return err({ reason });
    const { userId, grantId } = use;
    const isRevoked = await grants.remove(userId, grantId);
    return err(isRevoked ? { reason, revoked: { userId, grantId } } : { reason });
  }

  /** Stores the grant of a code and returns its id. What was switched off for the app before stays so. */
  async #grant(
    { userId, clientId, scope, ask }: AuthorizationCode,
    client: KnownClient | null,
    now: number,
  ): Promise<string> {
    const { grants, random } = this.#ports;
    const id = random.token(grantIdBytes);
    const clientName = client?.name ?? clientId;
    const [earlier] = (await grants.list(userId)).filter((grant) => grant.clientId === clientId);
    await grants.keep({
      id,
      userId,
      clientId,
      clientName,
      scope: scope ?? fullScope,
      ask: ask ?? null,
      since: now,
      lastUsedAt: null,
      switchedOff: earlier?.switchedOff ?? [],
    });
    return id;
  }

  /** Whether the user still exists, is active, and has not signed out everywhere since the code was issued. */
  async #isStillWanted(code: AuthorizationCode): Promise<boolean> {
    const user = await this.#ports.users.find(code.userId);
    const issuedAt = code.expiresAt - codeLifetimeS * 1000;
    return user !== null && isValidFor({ userId: user.id, issuedAt }, user);
  }
}
