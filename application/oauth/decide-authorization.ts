import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Random } from '#application/ports/random.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import { issueCode } from '#domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '#domain/oauth/authorization-request.ts';
import { type Grant, scopeOf } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The response to the client's redirect URI: `code` after Allow, `access_denied` after Deny (AUTH-006, AUTH-007). */
type Decision = Readonly<{ code: string }> | Readonly<{ error: 'access_denied' }>;

/** Applies the user's decision on the consent page. */
export class DecideAuthorization {
  readonly #codes: AuthorizationCodes;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #services: readonly ServiceKey[];

  /** `services` are those of this server: a grant of all of them is full access. */
  constructor(codes: AuthorizationCodes, clock: Clock, random: Random, services: readonly ServiceKey[]) {
    this.#codes = codes;
    this.#clock = clock;
    this.#random = random;
    this.#services = services;
  }

  /**
   * Issues a single-use code for the grant, and what the user is asked before, and stores it. Null means that the user denied; nothing is stored.
   */
  async run(
    request: AuthorizationRequest,
    userId: number,
    allowed: Readonly<{ grant: Grant; ask: AskChoice | null }> | null,
  ): Promise<Decision> {
    if (allowed === null) return { error: 'access_denied' };
    const { client, redirectUri, codeChallenge } = request;
    const random = (bytes: number): string => this.#random.token(bytes);
    const { grant, ask } = allowed;
    const asked = ask === null ? {} : { ask };
    const consented = { clientId: client.id, userId, redirectUri, codeChallenge, ...asked };
    const scope = scopeOf(grant, this.#services);
    const code = issueCode(scope === null ? consented : { ...consented, scope }, { random, now: this.#clock.now() });
    await this.#codes.keep(code);
    return { code: code.code };
  }
}
