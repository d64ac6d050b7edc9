import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import { checkMethod } from '#domain/connections/connect-rules.ts';
import type { ConnectionState } from '#domain/connections/connection.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import { isPermitted, type User } from '#domain/users/user.ts';

/** Credentials that a user gives by hand. */
export type GivenCredentials = Readonly<{
  service: ServiceKey;
  authMethod: AuthMethod;
  accessToken: string;
  extra: Readonly<Record<string, unknown>>;
}>;

/** How they were kept: tried and working, or kept without having been tried. */
export type SavedCredentials = Readonly<{ service: ServiceKey; state: ConnectionState; checked: boolean }>;

/** What the use case works with. */
export type SaveCredentialsParts = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  probe: CredentialsProbe;
  clock: Clock;
}>;

/** Keeps an API key or personal token (decisions, Connections: POST /save). */
export class SaveCredentials {
  readonly #parts: SaveCredentialsParts;

  constructor(parts: SaveCredentialsParts) {
    this.#parts = parts;
  }

  /** Tries them first: refused ones are not kept, and old ones stay; when the provider cannot be reached they are kept as `unchecked`. */
  async run(user: User, given: GivenCredentials): Promise<Result<SavedCredentials, Failure>> {
    const { tokens, standings, probe, clock } = this.#parts;
    const { service, authMethod } = given;
    const title = serviceTitles[service].toLowerCase();
    if (!isPermitted(user, service)) return err(failed('forbidden', `You may not use the ${title}.`));
    const method = checkMethod(service, authMethod);
    if (!method.ok) return err(wrongMethod(title, authMethod, method.failure.right));
    const now = clock.now();
    const record: TokenRecord = {
      ...given,
      userId: user.id,
      refreshToken: null,
      scope: null,
      expiresAt: null,
      updatedAt: now,
    };
    const tried = await probe.probe(record);
    if (!tried.ok && tried.reason !== 'unavailable' && tried.reason !== 'rate_limited') {
      return err({
        ...tried,
        message: `The ${title} refused these credentials, so they were not kept. ${tried.message}`,
      });
    }
    await tokens.keep(record);
    const state = tried.ok ? 'connected' : 'unchecked';
    await standings.keep({ userId: user.id, service, state, since: now, reason: tried.ok ? null : tried.message });
    return ok({ service, state, checked: tried.ok });
  }
}

function wrongMethod(title: string, method: string, right: readonly string[]): Failure {
  const instead =
    right.length === 0 ? 'It is connected by OAuth only.' : `Right is: ${right.join(', ')}, or OAuth where it has one.`;
  return failed('invalid_input', `The ${title} cannot be connected by ${method}. ${instead}`);
}
