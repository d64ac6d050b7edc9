import { createHash, randomBytes } from 'node:crypto';
import type { OAuthApp, OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import {
  askForTokens,
  bodyOf,
  sendRevocation,
  type TokenFields,
} from '#adapters/services/credentials/token-request.ts';
import { settingOf } from '#adapters/services/definitions/service-settings.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  AppCredentials,
  AuthorizationOptions,
  GrantFailure,
  ProviderAuthorization,
  ProviderCallback,
  ProviderGrants,
} from '#application/ports/provider-grants.ts';
import { authorizationErrorIn, explainedError } from '#domain/connections/authorization-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';

/**
 * A provider's name and OAuth facts, and this server's app there; null while no client id and secret are configured.
 */
export type GrantSource = Readonly<{
  name: string;
  facts: OAuthFacts;
  app: OAuthApp | null;
  /** The prefix of its settings' names; that of the service by default. */
  prefix?: string;
  /** The sources of the service's other vendors, by their names. */
  others?: ReadonlyMap<string, GrantSource>;
}>;

/** The sources by service, as they are set at that time. */
export type GrantSources = Pick<ReadonlyMap<ServiceKey, GrantSource>, 'get' | 'entries'>;

/** Performs authorization code grants at the providers, from their OAuth facts (CONN-004, RENEW-001). */
export class HttpProviderGrants implements ProviderGrants {
  readonly #sources: GrantSources;
  readonly #http: HttpClient;
  readonly #clock: Clock;

  constructor(sources: GrantSources, http: HttpClient, clock: Clock) {
    this.#sources = sources;
    this.#http = http;
    this.#clock = clock;
  }

  begin(
    service: ServiceKey,
    { state, redirectUri, extra, registersWebhooks = false }: AuthorizationOptions,
  ): Result<ProviderAuthorization, GrantFailure> {
    const source = this.#configured(service, extra);
    if (!source.ok) return source;
    const { facts, app } = source.value;
    const address = facts.authorizeUrl(extra);
    if (address === null) return err(notConfigured(service, source.value, 'AUTHORIZE_URL'));
    const codeVerifier = facts.hasPkce ? randomBytes(32).toString('base64url') : null;
    const url = new URL(address);
    for (const [key, value] of Object.entries(
      facts.authorizationParameters({ app, redirectUri, extra, registersWebhooks }),
    )) {
      url.searchParams.set(key, value);
    }
    url.searchParams.set('state', state);
    if (codeVerifier !== null) {
      url.searchParams.set('code_challenge', createHash('sha256').update(codeVerifier).digest('base64url'));
      url.searchParams.set('code_challenge_method', 'S256');
    }
    return ok({ url: url.href, codeVerifier });
  }

  async exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>> {
    const { service, query, redirectUri, extra, codeVerifier, userId } = callback;
    const source = this.#configured(service, extra);
    if (!source.ok) return source;
    const { name, facts, app } = source.value;
    const tokenUrl = facts.tokenUrl(extra, query);
    if (tokenUrl === null) return err(notConfigured(service, source.value, 'TOKEN_URL'));
    const fields = facts.exchangeFields({ app, redirectUri, extra, callback: query, code: query['code'] ?? '' });
    const withVerifier = codeVerifier === null ? fields : { ...fields, code_verifier: codeVerifier };
    const first = { userId, service, extra, refreshToken: null };
    const granted = await this.#ask({ service, name, facts, app, tokenUrl, fields: withVerifier }, first, null);
    if (!granted.ok) return granted;
    if (facts.needsRefreshToken && granted.value.refreshToken === null) {
      return err({
        reason: 'refused',
        message: `The ${name} gave no refresh token. Remove this app from your account there, then connect again.`,
      });
    }
    const { value } = granted;
    const { vendor } = value.extra;
    const kept = facts.keptExtra?.(value.extra, query) ?? value.extra;
    return ok({ ...value, extra: vendor === undefined ? kept : { ...kept, vendor } });
  }

  async renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>> {
    const { service, refreshToken, extra } = record;
    const source = this.#configured(service, extra);
    if (!source.ok) return source;
    const { name, facts, app } = source.value;
    const tokenUrl = facts.tokenUrl(extra);
    if (tokenUrl === null) return err(notConfigured(service, source.value, 'TOKEN_URL'));
    if (refreshToken === null) return err({ reason: 'refused', message: 'There is no refresh token to renew with.' });
    return this.#ask(
      { service, name, facts, app, tokenUrl, fields: facts.refreshFields(app, refreshToken) },
      record,
      record,
    );
  }

  async revoke(record: TokenRecord): Promise<boolean> {
    const { service, extra, authMethod } = record;
    const source = authMethod === 'oauth' && isReadable(record) ? this.#configured(service, extra) : null;
    if (source === null || !source.ok) return false;
    const tokenUrl = source.value.facts.tokenUrl(extra);
    return tokenUrl !== null && sendRevocation(this.#http, { ...source.value, tokenUrl }, record);
  }

  renewEveryMs({ service, extra }: Pick<TokenRecord, 'service' | 'extra'>): number | null {
    return this.#sourceOf(service, extra)?.facts.renewEveryMs ?? null;
  }

  renewedServices(): readonly Readonly<{ service: ServiceKey; everyMs: number }>[] {
    return [...this.#sources.entries()].flatMap(([service, source]) => {
      const all = [source, ...(source.others?.values() ?? [])].flatMap(({ facts }) => facts.renewEveryMs ?? []);
      return all.length === 0 ? [] : [{ service, everyMs: Math.min(...all) }];
    });
  }

  isReporter(service: ServiceKey, { clientId, clientSecret }: AppCredentials): boolean {
    const source = this.#sources.get(service);
    const all = source === undefined ? [] : [source, ...(source.others?.values() ?? [])];
    return all.some(({ facts, app }) => {
      if (facts.reportsRemoval !== true || app === null || app.clientSecret === '') return false;
      const isId = equal(app.clientId, clientId);
      return equal(app.clientSecret, clientSecret) && isId;
    });
  }

  #sourceOf(service: ServiceKey, extra: TokenRecord['extra']): GrantSource | undefined {
    const first = this.#sources.get(service);
    return first?.others?.get(String(extra['vendor'])) ?? first;
  }

  #configured(service: ServiceKey, extra: TokenRecord['extra']): Result<Configured, GrantFailure> {
    const source = this.#sourceOf(service, extra);
    if (source === undefined) {
      return err({
        reason: 'not_configured',
        message: 'This service has no OAuth. Connect it with a key.',
      });
    }
    const { app } = source;
    return app === null ? err(notConfigured(service, source, 'CLIENT_ID')) : ok({ ...source, app });
  }

  async #ask(
    { service, name, facts, app, tokenUrl, fields }: TokenCall,
    base: Pick<TokenRecord, 'userId' | 'service' | 'extra' | 'refreshToken'>,
    before: TokenRecord | null,
  ): Promise<Result<TokenRecord, GrantFailure>> {
    const answer = await askForTokens(this.#http, { facts, app, tokenUrl, fields });
    if (answer.kind === 'error') {
      return err({ reason: 'unavailable', message: `The ${name} gave no tokens. ${answer.message}` });
    }
    const body = bodyOf(answer);
    const tokens = answer.status >= 200 && answer.status < 300 ? facts.readTokens(body, before) : null;
    if (tokens === null) {
      const isRefused = facts.isRefused(answer.status, body, before);
      const what = before === null ? 'the code that it sent' : refusedRenewal;
      const error = authorizationErrorIn(body, secretsOf(app, fields, before));
      const said = explainedError(error, { service, redirectUri: fields['redirect_uri'] });
      const message = isRefused
        ? `The ${name} refused ${what}.${said}`
        : `The ${name} gave no tokens (it answered ${answer.status}).${said}`;
      if (isRefused) return err({ reason: 'refused', message });
      const waitMs = retryAfterMs(answer.headers, this.#clock.now()) ?? facts.impliedWaitMs?.(body) ?? null;
      return err({ reason: 'unavailable', message, ...(waitMs === null ? {} : { retryAfterMs: waitMs }) });
    }
    const now = this.#clock.now();
    return ok({
      userId: base.userId,
      service,
      authMethod: 'oauth',
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? base.refreshToken,
      scope: tokens.scope ?? before?.scope ?? null,
      expiresAt: tokens.expiresInS === null ? null : now + tokens.expiresInS * 1000,
      extra: { ...base.extra, ...tokens.extra },
      updatedAt: now,
    });
  }
}

const refusedRenewal =
  'to renew the tokens: the access was taken back there, has ended, or a renewal was cut off before its tokens were stored';

/** The fields of a token request that are no secrets. */
const publicFields = ['grant_type', 'redirect_uri', 'client_id', 'scope'];

/** What an answer to a token request must not reveal, if it repeats it. */
function secretsOf(app: OAuthApp, fields: TokenFields, before: TokenRecord | null): readonly string[] {
  const sent = Object.entries(fields).flatMap(([name, value]) => (publicFields.includes(name) ? [] : [value]));
  return [...sent, app.clientSecret, before?.accessToken ?? '', before?.refreshToken ?? ''];
}

type Configured = GrantSource & Readonly<{ app: OAuthApp }>;

type TokenCall = Configured & Readonly<{ service: ServiceKey; tokenUrl: string; fields: TokenFields }>;

function notConfigured(service: ServiceKey, { name, prefix }: GrantSource, what: string): GrantFailure {
  const variable = `${prefix ?? settingOf(service, '')}${what}`;
  return {
    reason: 'not_configured',
    message: `The ${name} is not set up on this server. An administrator ${
      what === 'CLIENT_ID' ? `enters its client id and secret on the page /setup/${service}, or` : ''
    } sets ${variable} and starts it again.`,
  };
}
