import type * as OpenIdClient from 'openid-client';
import type { ClientAuth, ServerMetadata } from 'openid-client';
import { type BoundedFetch, boundedFetch } from '#adapters/oidc/bounded-fetch.ts';
import { personOf, readClaims } from '#adapters/oidc/read-person.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdentityProvider, ProviderFailure, SignInSecrets } from '#application/ports/identity-provider.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The settings of the identity provider. */
export type OpenIdSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whether people's rights depend on their groups. */
  readsGroups: boolean;
  redirectUri: string;
}>;

type OpenIdProviderDependencies = Readonly<{
  settings: OpenIdSettings;
  http: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** Loads the library, on first use. */
  load?: () => Promise<typeof OpenIdClient>;
}>;

type Library = typeof OpenIdClient;
type Discovered = Readonly<{ metadata: ServerMetadata; until: number }>;

/** How long the provider's metadata is used before it is read again, in ms. */
const metadataLifetimeMs = 3_600_000;
const google = 'https://accounts.google.com';

/**
 * Signs people in at an OpenID provider by `openid-client`. Its metadata is read at the first sign-in and then each
 * hour; its keys are read at each sign-in, so that rotated ones are known at once and withdrawn ones are not.
 */
export class OpenIdProvider implements IdentityProvider {
  readonly host: string;
  readonly #dependencies: OpenIdProviderDependencies;
  #discovered: Discovered | null = null;
  #discovering: Promise<ServerMetadata> | null = null;

  constructor(dependencies: OpenIdProviderDependencies) {
    this.#dependencies = dependencies;
    this.host = new URL(dependencies.settings.issuer).host;
  }

  begin(
    { state, nonce, codeVerifier }: SignInSecrets,
    { asksWho }: Readonly<{ asksWho: boolean }>,
  ): Promise<Result<string, ProviderFailure>> {
    return this.#attempt(async ({ library, configuration }) => {
      const metadata = configuration.serverMetadata();
      const url = library.buildAuthorizationUrl(configuration, {
        response_type: 'code',
        redirect_uri: this.#dependencies.settings.redirectUri,
        scope: this.#scopeFor(metadata),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(asksWho ? { prompt: promptFor(metadata) } : {}),
      });
      if (!isWebAddress(url, this.#dependencies.settings.issuer))
        throw new Error('The authorization endpoint is no web address.');
      return url.href;
    });
  }

  finish(
    { state, nonce, codeVerifier }: SignInSecrets,
    query: URLSearchParams,
  ): Promise<Result<ProviderPerson, ProviderFailure>> {
    return this.#attempt(async ({ library, configuration }) => {
      const returned = new URL(this.#dependencies.settings.redirectUri);
      returned.search = query.toString();
      const tokens = await library.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (token === undefined) throw new Error('The answer has no ID token.');
      const claims = readClaims(token);
      const isWhole =
        claims.email !== undefined && (claims.groups !== undefined || !this.#dependencies.settings.readsGroups);
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo =
        isWhole || !hasMore ? null : await library.fetchUserInfo(configuration, tokens.access_token, token.sub);
      return personOf(token, claims, userInfo === null ? null : readClaims(userInfo));
    });
  }

  /** Runs a step with a configuration of its own, since a configuration caches the provider's keys. */
  async #attempt<Value>(
    step: (using: Readonly<{ library: Library; configuration: OpenIdClient.Configuration }>) => Promise<Value>,
  ): Promise<Result<Value, ProviderFailure>> {
    const { settings, http, load = () => import('openid-client') } = this.#dependencies;
    const library = await load();
    const requests = boundedFetch(http);
    try {
      const metadata = await this.#metadata(library);
      const { clientId, clientSecret } = settings;
      const configuration = new library.Configuration(
        metadata,
        clientId,
        {},
        clientAuth(library, metadata, clientSecret),
      );
      this.#prepare(library, configuration, requests);
      library.enableNonRepudiationChecks(configuration);
      return ok(await step({ library, configuration }));
    } catch (error) {
      return err(failureOf(library, error, requests));
    }
  }

  #prepare(library: Library, configuration: OpenIdClient.Configuration, { fetch }: BoundedFetch): void {
    configuration[library.customFetch] = fetch;
    // The settings allow http for an address of this machine only.
    if (this.#dependencies.settings.issuer.startsWith('http:')) library.allowInsecureRequests(configuration);
  }

  /** Returns the provider's metadata. Former metadata serves while it cannot be read again. */
  async #metadata(library: Library): Promise<ServerMetadata> {
    const { clock } = this.#dependencies;
    const known = this.#discovered;
    if (known !== null && clock.now() < known.until) return known.metadata;
    this.#discovering ??= this.#discover(library).finally(() => {
      this.#discovering = null;
    });
    try {
      return await this.#discovering;
    } catch (error) {
      if (known !== null) return known.metadata;
      throw error;
    }
  }

  async #discover(library: Library): Promise<ServerMetadata> {
    const { settings, http, clock } = this.#dependencies;
    const { issuer, clientId } = settings;
    const requests = boundedFetch(http);
    try {
      const found = await library.discovery(new URL(issuer), clientId, {}, library.None(), {
        [library.customFetch]: requests.fetch,
        execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
      });
      const metadata = found.serverMetadata();
      // The library lets an issuer of many tenants stand for each of them.
      if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new NotDiscovered('its issuer is another one');
      this.#discovered = { metadata, until: clock.now() + metadataLifetimeMs };
      return metadata;
    } catch (error) {
      throw new NotDiscovered(requests.trouble()?.message ?? messageOf(error));
    }
  }

  #scopeFor({ scopes_supported: supported }: ServerMetadata): string {
    const { readsGroups } = this.#dependencies.settings;
    const groups = readsGroups && supported?.includes('groups') === true ? ' groups' : '';
    return `openid email profile${groups}`;
  }
}

/** Thrown when the provider's metadata cannot be read. */
class NotDiscovered extends Error {
  constructor(why: string) {
    super(`The provider's metadata could not be read: ${why}`);
    this.name = 'NotDiscovered';
  }
}

/** Whether a browser may be sent to an address: https, or http where the issuer is so. */
function isWebAddress({ protocol }: URL, issuer: string): boolean {
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
}

/** Authenticates this server as the provider prefers: by Basic, unless its metadata leaves that out. */
function clientAuth(library: Library, metadata: ServerMetadata, secret: string): ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported;
  const takesBasic = methods === undefined || methods.includes('client_secret_basic');
  return takesBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}

/** The `prompt` by which the provider asks for an account. Not all take the same. */
function promptFor({ issuer, prompt_values_supported: supported }: ServerMetadata): string {
  const selects = issuer === google || (Array.isArray(supported) && supported.includes('select_account'));
  return selects ? 'select_account' : 'login';
}

/** Converts what the library throws. Its causes may hold tokens, so that only codes and error words are taken over. */
function failureOf(library: Library, error: unknown, requests: BoundedFetch): ProviderFailure {
  if (error instanceof NotDiscovered) return { reason: 'provider_unavailable', message: error.message };
  const trouble = requests.trouble();
  if (trouble !== null) return { reason: 'provider_unavailable', message: trouble.message };
  if (error instanceof library.AuthorizationResponseError) {
    return { reason: 'provider_denied', message: `The provider answered the error ${shortened(error.error)}` };
  }
  if (error instanceof library.ResponseBodyError) {
    const hint = error.error === 'invalid_client' ? '; check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET' : '';
    return { reason: 'invalid_answer', message: `The provider refused the code: ${shortened(error.error)}${hint}` };
  }
  return { reason: 'invalid_answer', message: shortened(explained(error)) };
}

function explained(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${messageOf(error)}${cause}`;
}

function shortened(text: string): string {
  return text.slice(0, 200);
}
