import type { OAuthClientInformation, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import type { RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { type Bound, boundIn, isOfServer, metadataOf, tokenRecordOf } from '#adapters/mcp-client/oauth/bound-tokens.ts';
import { discover, isSameIssuer, usableScopes } from '#adapters/mcp-client/oauth/discover.ts';
import { attempted, noClient, refusedGrant } from '#adapters/mcp-client/oauth/grant-failures.ts';
import { clientForNamed, type JudgedFetch, judgedFetch } from '#adapters/mcp-client/oauth/judged-fetch.ts';
import { clientAt, clientOfTokens } from '#adapters/mcp-client/oauth/registered-client.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type {
  AuthorizationOptions,
  GrantFailure,
  ProviderAuthorization,
  ProviderCallback,
  ProviderGrants,
} from '#application/ports/provider-grants.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** A remote MCP server that people connect to by its own OAuth; `name` is that of its service within a sentence. */
export type OAuthServer = Readonly<{ name: string; url: string }>;

type RemoteGrantsDependencies = Readonly<{
  /** Returns the server of a service; null where it has none that is connected by OAuth. */
  serverOf: (service: ServiceKey) => OAuthServer | null;
  clients: RemoteClients;
  connections: Pick<Connections, 'reload'>;
  http: HttpClient;
  clock: Clock;
  /** The address of this server's metadata document for a service; null where nobody outside could read it. */
  documentUrlOf: (service: ServiceKey) => string | null;
}>;

/** The client whose tokens a connection has, at what they are bound to. */
type BoundClient = Readonly<{
  name: string;
  remote: Bound;
  client: OAuthClientInformation;
  judged: JudgedFetch;
}>;

/** What every token request takes. */
type TokenRequest = Readonly<{
  metadata: ReturnType<typeof metadataOf>;
  clientInformation: OAuthClientInformation;
  resource: Bound['resource'];
  fetchFn: JudgedFetch['fetch'];
}>;

const wantedSchema = z.object({ wanted_scopes: z.array(z.string()) });

/**
 * Performs authorization code grants at the authorization servers of remote MCP servers, with the SDK’s helpers over a
 * `fetch` that judges every address. Tokens are bound to the server that they were granted for, and to their issuer.
 */
export class RemoteGrants implements ProviderGrants {
  readonly #dependencies: RemoteGrantsDependencies;

  constructor(dependencies: RemoteGrantsDependencies) {
    this.#dependencies = dependencies;
  }

  async begin(
    service: ServiceKey,
    { state, redirectUri, userId }: AuthorizationOptions,
  ): Promise<Result<ProviderAuthorization, GrantFailure>> {
    const { clients, http, clock, documentUrlOf } = this.#dependencies;
    const server = this.#serverOf(service);
    if (!server.ok) return server;
    const { name, url } = server.value;
    const judged = this.#judged(url);
    return attempted(name, judged, async () => {
      const found = await discover({ url, judged, http });
      if (!found.ok) return err(refusedGrant(`The ${name} ${found.failure}.`));
      const { issuer, metadata, resource, scopes } = found.value;
      const documentUrl = documentUrlOf(service);
      const registration = {
        service,
        redirectUri,
        document: documentUrl === null ? null : { url: documentUrl, isPrivate: await isPrivate(http, documentUrl) },
        found: found.value,
        fetch: judged.fetch,
        now: clock.now(),
      };
      const client = await clientAt(clients, registration);
      if (!client.ok) return err(noClient(name, service, { redirectUri, issuer, why: client.failure }));
      const scope = (await this.#scopesOf(userId, service, scopes)).join(' ');
      const { startAuthorization } = await import('@modelcontextprotocol/sdk/client/auth.js');
      const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
        metadata,
        clientInformation: client.value,
        redirectUrl: redirectUri,
        state,
        resource,
        ...(scope === '' ? {} : { scope }),
      });
      const remote: Bound = {
        issuer,
        token_endpoint: metadata.token_endpoint,
        revocation_endpoint: textOrNull(own(metadata, 'revocation_endpoint')),
        methods: metadata.token_endpoint_auth_methods_supported ?? [],
        client_id: client.value.client_id,
        resource,
        needs_iss: own(metadata, 'authorization_response_iss_parameter_supported') === true,
      };
      return ok({ url: authorizationUrl.href, codeVerifier, extra: { remote } });
    });
  }

  async exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>> {
    const { userId, service, query, redirectUri, codeVerifier, extra } = callback;
    const bound = await this.#boundOf(service, extra);
    if (!bound.ok) return bound;
    const { name, remote } = bound.value;
    const iss = own(query, 'iss');
    if (typeof iss === 'string' ? !isSameIssuer(iss, remote.issuer) : remote.needs_iss) {
      return err(
        refusedGrant(`The answer for the ${name} did not come from the authorization server that was asked (iss).`),
      );
    }
    const code = query['code'] ?? '';
    const verifier = codeVerifier ?? '';
    const owner = { userId, service, before: null };
    return this.#granted(bound.value, owner, [code, verifier], async (request) => {
      const { exchangeAuthorization } = await import('@modelcontextprotocol/sdk/client/auth.js');
      const given = { ...request, authorizationCode: code, codeVerifier: verifier, redirectUri };
      return exchangeAuthorization(remote.issuer, given);
    });
  }

  async renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>> {
    const { service, refreshToken, extra, userId } = record;
    if (refreshToken === null) return err(refusedGrant('There is no refresh token to renew with.'));
    const bound = await this.#boundOf(service, extra);
    if (!bound.ok) return bound;
    const owner = { userId, service, before: record };
    return this.#granted(bound.value, owner, [refreshToken, record.accessToken], async (request) => {
      const { refreshAuthorization } = await import('@modelcontextprotocol/sdk/client/auth.js');
      return refreshAuthorization(bound.value.remote.issuer, { ...request, refreshToken });
    });
  }

  async revoke(record: TokenRecord): Promise<boolean> {
    if (record.authMethod !== 'oauth' || !isReadable(record)) return false;
    const bound = await this.#boundOf(record.service, record.extra);
    if (!bound.ok || bound.value.remote.revocation_endpoint === null) return false;
    const { remote, client, judged } = bound.value;
    const basic = client.client_secret === undefined ? null : `${client.client_id}:${client.client_secret}`;
    const fields = {
      token: record.refreshToken ?? record.accessToken,
      token_type_hint: record.refreshToken === null ? 'access_token' : 'refresh_token',
      client_id: client.client_id,
    };
    try {
      const answer = await judged.fetch(remote.revocation_endpoint ?? '', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(basic === null ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
        },
        body: new URLSearchParams(fields),
      });
      return answer.ok;
    } catch {
      return false;
    }
  }

  renewedServices(): readonly [] {
    return [];
  }

  renewEveryMs(): null {
    return null;
  }

  isReporter(): boolean {
    return false;
  }

  /** The record of what a token request gives; `secrets` and the client's are masked in what is said of a failure. */
  async #granted(
    { name, remote, client, judged }: BoundClient,
    owner: Pick<Parameters<typeof tokenRecordOf>[1], 'userId' | 'service' | 'before'>,
    secrets: readonly string[],
    ask: (request: TokenRequest) => Promise<OAuthTokens>,
  ): Promise<Result<TokenRecord, GrantFailure>> {
    const request = {
      metadata: metadataOf(remote),
      clientInformation: client,
      resource: remote.resource,
      fetchFn: judged.fetch,
    };
    const run = async () => {
      const tokens = await ask(request);
      return tokenRecordOf(tokens, { ...owner, name, remote, now: this.#dependencies.clock.now() });
    };
    return attempted(name, judged, run, [...secrets, client.client_secret ?? '']);
  }

  #judged(url: string): JudgedFetch {
    const { http, clock } = this.#dependencies;
    return judgedFetch(http, url, () => clock.now());
  }

  #serverOf(service: ServiceKey): Result<OAuthServer, GrantFailure> {
    const server = this.#dependencies.serverOf(service);
    const message = 'This service has no OAuth. Connect it with a key.';
    return server === null ? err({ reason: 'not_configured', message }) : ok(server);
  }

  /** The scopes to ask for: those that the server names, that the connection has, and that a call lacked (step-up). */
  async #scopesOf(userId: number, service: ServiceKey, named: readonly string[]): Promise<readonly string[]> {
    const record = (await this.#dependencies.connections.reload(userId, service))?.record;
    const wanted = wantedSchema.safeParse(record?.extra).data?.wanted_scopes ?? [];
    const had = record?.authMethod === 'oauth' ? (record.scope?.split(',') ?? []) : [];
    return usableScopes([...named, ...had, ...wanted]);
  }

  /** What tokens are bound to: refused where the service's server is at another address by now. */
  async #boundOf(service: ServiceKey, extra: TokenRecord['extra']) {
    const { clients, documentUrlOf } = this.#dependencies;
    const server = this.#serverOf(service);
    if (!server.ok) return server;
    const { name, url } = server.value;
    const remote = boundIn(extra);
    const again = refusedGrant(
      `The ${name} has to be connected again: it is not at the address that it was connected at.`,
    );
    if (remote === null || !(await isOfServer(url, remote.resource))) return err(again);
    const known = { issuer: remote.issuer, clientId: remote.client_id, documentUrl: documentUrlOf(service) };
    const client = await clientOfTokens(clients, service, known);
    if (client === null) {
      return err(refusedGrant(`This server is not registered at the ${name} any more as it was. Connect it again.`));
    }
    const named = clientForNamed(this.#dependencies.http, remote.token_endpoint, url);
    if (!named.ok) return err(refusedGrant(`The ${name} has a token endpoint that ${named.failure}.`));
    return ok({ name, remote, client, judged: this.#judged(url) });
  }
}

/** Whether an address is in a private network; one whose name does not resolve here may be public elsewhere. */
async function isPrivate(http: HttpClient, url: string): Promise<boolean> {
  const kind = await http.kindOf(url);
  return kind !== null && kind !== 'public';
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
