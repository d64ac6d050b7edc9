import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { GrantFailure, ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Random } from '#application/ports/random.ts';
import { authorizationErrorIn, explainedError } from '#domain/connections/authorization-error.ts';
import { connectLifetimeMs } from '#domain/connections/connect-rules.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import { errorsText, type InputError, unknownName } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { accountIn } from '#domain/tokens/account.ts';
import { type TokenRecord, vendorNameOf } from '#domain/tokens/token-record.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

type ConnectServiceDependencies = Readonly<{
  connections: Pick<Connections, 'reload' | 'save'>;
  grants: ProviderGrants;
  pending: PendingConnects;
  methods: ConnectionMethods;
  probe: CredentialsProbe;
  names: ServiceNames;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Returns the redirect URI for a service's callback. */
  redirectUriOf: (service: ServiceKey) => string;
  /** The id of the automation user, whose tokens register webhooks; null when no webhooks are registered. */
  webhookUserId: number | null;
}>;

/** Why connecting failed, for the user. */
export type ConnectFailure =
  | GrantFailure
  | Readonly<{ reason: 'forbidden' | 'invalid_extra' | 'unknown_state' | 'denied'; message: string }>;

/** The maximum number of unknown choices that are reported. */
const maxUnknown = 20;

/** Connects a user to a service by OAuth: creates the authorization request and handles the callback. */
export class ConnectService {
  readonly #dependencies: ConnectServiceDependencies;

  constructor(dependencies: ConnectServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the URL to redirect the browser to. `browser` identifies the browser; `extra` holds the user's choices,
   * such as the data centre; a form leaves those empty that its user did not make.
   */
  async begin(
    user: User,
    service: ServiceKey,
    { browser, extra }: Readonly<{ browser: string; extra: Readonly<Record<string, unknown>> }>,
  ): Promise<Result<string, ConnectFailure>> {
    const { grants, pending, methods, names, clock, random, redirectUriOf, webhookUserId } = this.#dependencies;
    if (!isPermitted(user, service)) return err(forbidden(names.of(service)));
    const known = methods.find(service)?.members ?? [];
    const unknown = Object.keys(extra)
      .filter((name) => !known.includes(name))
      .slice(0, maxUnknown);
    if (unknown.length > 0) return err(invalidExtra(unknown.map((name) => unknownName([name], { known }))));
    const made = Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== ''));
    const vendor =
      known.includes('vendor') && made['vendor'] === undefined ? await this.#vendorOf(user.id, service) : null;
    const chosen = methods.checkExtra(service, vendor === null ? made : { ...made, vendor });
    if (!chosen.ok) return err(invalidExtra(chosen.failure));
    const kept = await this.#keptExtra(user.id, service, chosen.value);
    const state = random.token(32);
    const registersWebhooks = user.id === webhookUserId;
    const request = await grants.begin(service, {
      userId: user.id,
      state,
      redirectUri: redirectUriOf(service),
      extra: kept,
      registersWebhooks,
    });
    if (!request.ok) return request;
    const { url, codeVerifier, extra: begun = {} } = request.value;
    const connect = { userId: user.id, service, browser, codeVerifier, extra: { ...kept, ...begun } };
    await pending.keep(state, { ...connect, startedAt: clock.now() });
    return ok(url);
  }

  /**
   * Handles the callback: `state` is valid once, within ten minutes, for the browser and user that began. New tokens
   * replace old ones unless the provider rejects them.
   */
  async finish(
    user: User,
    service: ServiceKey,
    { browser, query }: Readonly<{ browser: string; query: Readonly<Record<string, string>> }>,
  ): Promise<Result<void, ConnectFailure>> {
    const { grants, pending, probe, names, clock, redirectUriOf } = this.#dependencies;
    const connect = await pending.take(query['state'] ?? '');
    const isOurs =
      connect !== null &&
      connect.userId === user.id &&
      connect.service === service &&
      equal(connect.browser, browser) &&
      clock.now() - connect.startedAt <= connectLifetimeMs;
    if (!isOurs) return err(unknownState);
    // The permission may have been revoked while the browser was at the provider.
    if (!isPermitted(user, service)) return err(forbidden(names.of(service)));
    const redirectUri = redirectUriOf(service);
    if (query['error'] !== undefined || query['code'] === undefined) {
      return this.#failed(user, service, denial(names.of(service), query, { service, redirectUri }));
    }
    const { codeVerifier, extra } = connect;
    const granted = await grants.exchange({ userId: user.id, service, query, codeVerifier, extra, redirectUri });
    if (!granted.ok) return this.#failed(user, service, granted.failure);
    const completed = await probe.complete(granted.value);
    if (completed.ok) return this.#keep(completed.value);
    const { reason, message } = completed.failure;
    return this.#failed(user, service, { reason: reason === 'unavailable' ? 'unavailable' : 'refused', message });
  }

  #failed(user: User, service: ServiceKey, failure: ConnectFailure): Result<never, ConnectFailure> {
    this.#dependencies.logger.warn({ userId: user.id, service, reason: failure.message }, 'Service not connected');
    return err(failure);
  }

  async #keep(granted: TokenRecord): Promise<Result<void, ConnectFailure>> {
    const { connections, probe, names, clock, random } = this.#dependencies;
    const { service } = granted;
    const tried = await probe.probe(granted);
    if (!tried.ok && tried.reason === 'unauthorized') {
      const message = `The ${names.of(service)} gave tokens and then refused them, so they were not kept. Try again.`;
      return err({ reason: 'refused', message });
    }
    const since = clock.now();
    const isUntried = !tried.ok && untried.includes(tried.reason);
    const state: ConnectionState = isUntried ? 'unchecked' : 'connected';
    const status = { state, since, reason: isUntried ? tried.message : null };
    // A service that does not say whose tokens they are: connecting again counts as another account.
    const account = (tried.ok ? accountIn(tried.data) : null) ?? random.token(12);
    await connections.save({ ...granted, extra: { ...granted.extra, account }, updatedAt: since }, status);
    return ok(undefined);
  }

  async #vendorOf(userId: number, service: ServiceKey): Promise<string | null> {
    const connection = await this.#dependencies.connections.reload(userId, service);
    return connection === null ? null : vendorNameOf(connection.record);
  }

  /**
   * Returns the new connection's `extra`: that of the existing connection with the new limits merged in, or only the
   * new choices when any other choice differs (another data centre).
   */
  async #keptExtra(
    userId: number,
    service: ServiceKey,
    chosen: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { connections, methods } = this.#dependencies;
    const { account: _, ...before } = (await connections.reload(userId, service))?.record.extra ?? {};
    const isOther = ([name, value]: readonly [string, unknown]) => !limitNames.includes(name) && before[name] !== value;
    if (Object.entries(chosen).some(isOther)) return chosen;
    const kept = methods.checkExtra(service, before);
    return kept.ok ? { ...kept.value, ...chosen } : chosen;
  }
}

/**
 * The failure of a callback without a code. Its error's code is shown, but not its description: anybody can write that
 * into a link.
 */
function denial(
  name: string,
  query: Readonly<Record<string, string>>,
  place: Readonly<{ service: ServiceKey; redirectUri: string }>,
): ConnectFailure {
  const isCode = /^\w{1,60}$/.test(query['error'] ?? '') && query['error'] !== 'access_denied';
  const said = explainedError(isCode ? authorizationErrorIn({ error: query['error'] }, []) : null, place);
  return { reason: 'denied', message: `The ${name} gave no access.${said} You can try again at any time.` };
}

/** Members of `extra` that describe a provider's limits and do not identify the account. */
const limitNames: readonly string[] = ['plan', 'seats', 'users'];

/** Probe failures that say nothing about the tokens' validity. */
const untried: readonly string[] = ['unavailable', 'rate_limited', 'not_connected'];

const unknownState = {
  reason: 'unknown_state',
  message:
    'This way back was not begun in this browser, was used before, or took longer than ten minutes. Connect again.',
} as const;

/** The failure for choices that the service does not take. */
function invalidExtra(errors: readonly InputError[]): ConnectFailure {
  return { reason: 'invalid_extra', message: errorsText(errors) };
}

function forbidden(name: string): ConnectFailure {
  return {
    reason: 'forbidden',
    message: `You may not use the ${name}. An administrator can permit it.`,
  };
}
