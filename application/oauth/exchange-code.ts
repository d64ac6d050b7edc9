import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import {
  type AuthorizationCode,
  type CodeExchange,
  checkExchange,
  codeLifetimeS,
  type ExchangeReason,
} from '#domain/oauth/authorization-code.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The access token for a client (TOKEN-002, TOKEN-015). `scope` is the token's grant, null for everything. */
export type AccessToken = Readonly<{ userId: number; accessToken: string; expiresInS: number; scope: string | null }>;

/** Exchanges a code for an access token, once. A failed exchange keeps the code; an expired code is removed. */
export class ExchangeCode {
  readonly #codes: AuthorizationCodes;
  readonly #clients: Clients;
  readonly #users: Users;
  readonly #tokens: SessionTokens;
  readonly #clock: Clock;
  readonly #isStrict: boolean;

  constructor(
    ports: Readonly<{
      codes: AuthorizationCodes;
      clients: Clients;
      users: Users;
      tokens: SessionTokens;
      clock: Clock;
    }>,
    isStrict: boolean,
  ) {
    this.#codes = ports.codes;
    this.#clients = ports.clients;
    this.#users = ports.users;
    this.#tokens = ports.tokens;
    this.#clock = ports.clock;
    this.#isStrict = isStrict;
  }

  /**
   * Returns the token, or the reason why there is none (TOKEN-007). A client that is not known, as one that was
   * lost in a restart with its codes, gets `invalid_client`.
   */
  async run(
    exchange: CodeExchange & Readonly<{ code: string }>,
  ): Promise<Result<AccessToken, { reason: ExchangeReason }>> {
    const now = this.#clock.now();
    const code = await this.#codes.find(exchange.code);
    const found = await this.#clients.find(exchange.clientId);
    if (code === null) return err({ reason: found.ok ? 'invalid_code' : 'invalid_client' });
    const client = found.ok ? found.value : null;
    const checked = checkExchange(code, exchange, { client, now, isStrict: this.#isStrict });
    if (!checked.ok) {
      if (checked.failure.reason === 'expired_code') await this.#codes.consume(code.code);
      return checked;
    }
    // Before the code is gone: when this fails, the exchange can be tried again.
    await this.#clients.noteSignIn(code.clientId);
    const isFirst = await this.#codes.consume(code.code);
    if (!isFirst || !(await this.#isStillWanted(code))) return err({ reason: 'invalid_code' });
    const { userId, scope = null } = code;
    const session = { userId, issuedAt: now };
    const accessToken = await this.#tokens.seal(scope === null ? session : { ...session, scope });
    return ok({ userId, accessToken, expiresInS: sessionLifetimeS, scope });
  }

  /** Whether the user still exists and has not signed out everywhere since the code was issued. */
  async #isStillWanted(code: AuthorizationCode): Promise<boolean> {
    const user = await this.#users.find(code.userId);
    const issuedAt = code.expiresAt - codeLifetimeS * 1000;
    return user !== null && (user.signedOutBefore === null || issuedAt >= user.signedOutBefore);
  }
}
