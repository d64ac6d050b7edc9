import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { GrantFailure, ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Random } from '#application/ports/random.ts';
import { connectLifetimeMs } from '#domain/connections/connect-rules.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isPermitted, type User } from '#domain/users/user.ts';

/** What the use case works with. */
export type ConnectServiceParts = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  grants: ProviderGrants;
  pending: PendingConnects;
  clock: Clock;
  random: Random;
  /** Where a service sends the browser back to. */
  redirectUriOf: (service: ServiceKey) => string;
}>;

/** Why a connect did not come about: to be shown to its user. */
export type ConnectRefusal =
  | GrantFailure
  | Readonly<{ reason: 'forbidden' | 'unknown_state' | 'denied'; message: string }>;

/** Connects a user to a service by OAuth: sends the browser away, and takes it back. */
export class ConnectService {
  readonly #parts: ConnectServiceParts;

  constructor(parts: ConnectServiceParts) {
    this.#parts = parts;
  }

  /** The address to send the browser to. `browser` names it; `extra` is what the user chose, such as the data centre. */
  async begin(
    user: User,
    service: ServiceKey,
    { browser, extra }: Readonly<{ browser: string; extra: Readonly<Record<string, unknown>> }>,
  ): Promise<Result<string, ConnectRefusal>> {
    const { grants, pending, clock, random, redirectUriOf } = this.#parts;
    if (!isPermitted(user, service)) return err(forbidden(service));
    const state = random.token(32);
    const request = grants.begin(service, { state, redirectUri: redirectUriOf(service), extra });
    if (!request.ok) return request;
    const { url, codeVerifier } = request.value;
    await pending.keep(state, { userId: user.id, service, browser, codeVerifier, extra, startedAt: clock.now() });
    return ok(url);
  }

  /**
   * Takes the browser back: `state` counts once, for the browser and the user that began, within ten minutes. The new
   * tokens replace old ones only now that they are there.
   */
  async finish(
    user: User,
    service: ServiceKey,
    { browser, query }: Readonly<{ browser: string; query: Readonly<Record<string, string>> }>,
  ): Promise<Result<void, ConnectRefusal>> {
    const { tokens, standings, grants, pending, clock, redirectUriOf } = this.#parts;
    const connect = await pending.take(query['state'] ?? '');
    const isOurs =
      connect !== null &&
      connect.userId === user.id &&
      connect.service === service &&
      equal(connect.browser, browser) &&
      clock.now() - connect.startedAt <= connectLifetimeMs;
    if (!isOurs) return err(unknownState);
    if (query['error'] !== undefined || query['code'] === undefined) {
      return err({
        reason: 'denied',
        message: `The ${serviceTitles[service]} gave no access. You can try again at any time.`,
      });
    }
    const { codeVerifier, extra } = connect;
    const granted = await grants.exchange({
      userId: user.id,
      service,
      query,
      codeVerifier,
      extra,
      redirectUri: redirectUriOf(service),
    });
    if (!granted.ok) return granted;
    await tokens.keep(granted.value);
    const standing = { userId: user.id, service, reason: null, since: clock.now() };
    await standings.keep({ ...standing, state: 'connected' });
    return ok(undefined);
  }
}

const unknownState = {
  reason: 'unknown_state',
  message:
    'This way back was not begun in this browser, was used before, or took longer than ten minutes. Connect again.',
} as const;

function forbidden(service: ServiceKey): ConnectRefusal {
  return {
    reason: 'forbidden',
    message: `You may not use the ${serviceTitles[service]}. An administrator can permit it.`,
  };
}
