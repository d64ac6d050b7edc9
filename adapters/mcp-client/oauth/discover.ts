import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { clientForNamed, type JudgedFetch } from '#adapters/mcp-client/oauth/judged-fetch.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The authorization server of a remote MCP server, as found and judged. */
export type FoundAuthorization = Readonly<{
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** The resource indicator of the remote server (RFC 8707), as it writes it itself. */
  resource: string;
  /** The scopes that the server asks for, or else those that it supports. */
  scopes: readonly string[];
}>;

type Discovery = Readonly<{ url: string; judged: JudgedFetch; http: HttpClient }>;

/** The maximum number and length of the scopes that are asked for. */
const maxScopes = 100;
const maxScope = 200;

/** A request as any client begins, which a protected server answers with 401 and where its metadata is (RFC 9728 §5.1). */
const opening = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'portolan', version: '1' } },
});

/**
 * Finds the authorization server of a remote MCP server: by its challenge and its metadata (RFC 9728), then by the
 * metadata of that server (RFC 8414). What does not belong together is refused with a phrase that says why: metadata of
 * another resource or issuer, endpoints at addresses that are not used, no PKCE.
 */
export async function discover({ url, judged, http }: Discovery): Promise<Result<FoundAuthorization, string>> {
  const { extractWWWAuthenticateParams, discoverAuthorizationServerMetadata } = await import(
    '@modelcontextprotocol/sdk/client/auth.js'
  );
  const { checkResourceAllowed } = await import('@modelcontextprotocol/sdk/shared/auth-utils.js');
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await judged.fetch(url, { method: 'POST', headers, body: opening });
  const challenge = answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
  const about = await resourceMetadata(url, challenge.resourceMetadataUrl, judged);
  const isIts =
    about === null || checkResourceAllowed({ requestedResource: withoutHash(url), configuredResource: about.resource });
  if (!isIts) return err('describes another resource as its own, so its tokens would be of another server');
  const [named] = about?.authorization_servers ?? [];
  // Without metadata of its own, a server is its own authorization server (MCP of 26 March 2025).
  const address = named ?? new URL('/', url).href;
  const metadata = await discoverAuthorizationServerMetadata(address, { fetchFn: judged.fetch });
  if (metadata === undefined) return err('says of no authorization server where its endpoints are');
  if (!isSameIssuer(metadata.issuer, address)) {
    return err('names an authorization server whose metadata is of another issuer');
  }
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    return err('has an authorization server without PKCE (S256)');
  }
  const refused = await refusedEndpoint(http, url, metadata);
  if (refused !== null) return err(refused);
  const asked = challenge.scope === undefined ? (about?.scopes_supported ?? []) : challenge.scope.split(/\s+/);
  const resource = about?.resource ?? withoutHash(url);
  return ok({ issuer: metadata.issuer, metadata, resource, scopes: usableScopes(asked) });
}

/** Whether two spellings are of one issuer; a slash at the end makes no other one. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutEnd(one, '/') === withoutEnd(other, '/');
}

/** Scopes of usual characters (RFC 6749 §3.3) and length. */
export function usableScopes(scopes: readonly string[]): readonly string[] {
  const usable = scopes.filter((scope) => scope.length <= maxScope && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return [...new Set(usable)].slice(0, maxScopes);
}

async function resourceMetadata(
  url: string,
  named: URL | undefined,
  { fetch, trouble }: JudgedFetch,
): Promise<OAuthProtectedResourceMetadata | null> {
  const { discoverOAuthProtectedResourceMetadata } = await import('@modelcontextprotocol/sdk/client/auth.js');
  try {
    return await discoverOAuthProtectedResourceMetadata(
      url,
      named === undefined ? {} : { resourceMetadataUrl: named },
      fetch,
    );
  } catch (error) {
    const found = trouble();
    const isAbsent = found?.kind === 'answered' && found.status >= 400 && found.status < 500;
    if (named === undefined && isAbsent) return null;
    throw error;
  }
}

/** Why an endpoint is not used, as a phrase; the browser is sent to the first, and secrets to the others. */
async function refusedEndpoint(
  http: HttpClient,
  url: string,
  metadata: AuthorizationServerMetadata,
): Promise<string | null> {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const endpoints = { authorization_endpoint, token_endpoint, registration_endpoint };
  for (const [name, address] of Object.entries(endpoints)) {
    if (address === undefined) continue;
    const client = clientForNamed(http, address, url);
    if (!client.ok) return `has an authorization server whose ${name} ${client.failure}`;
    const refused = await client.value.rejectionOf(address);
    if (refused !== null)
      return `has an authorization server whose ${name} is refused: ${withoutEnd(refused.message, '.')}`;
  }
  return null;
}

function withoutHash(url: string): string {
  const plain = new URL(url);
  plain.hash = '';
  return plain.href;
}
