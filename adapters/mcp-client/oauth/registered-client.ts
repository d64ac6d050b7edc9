import type { OAuthClientInformation } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { RemoteClient, RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { type FoundAuthorization, isSameIssuer } from '#adapters/mcp-client/oauth/discover.ts';
import type { JudgedFetch } from '#adapters/mcp-client/oauth/judged-fetch.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The metadata document of this server: its address, and whether that is in a private network, where few can read it. */
type ClientDocument = Readonly<{ url: string; isPrivate: boolean }>;

/** What a registration needs: where browsers come back to, and the metadata document of this server (null without one). */
export type Registration = Readonly<{
  service: ServiceKey;
  redirectUri: string;
  document: ClientDocument | null;
  found: FoundAuthorization;
  fetch: JudgedFetch['fetch'];
  now: number;
}>;

/** The maximum length of an id and of a secret that a server gives. */
const maxCredential = 4_096;
/** How long before its end a secret is not used any more, in ms. */
const earlyMs = 60_000;

/**
 * Returns this server's client at an authorization server, in the order of the MCP specification: as an administrator
 * entered it, by its metadata document where such are taken, or registered there (RFC 7591), once. A document at a private
 * address comes last. `none` when there is no way to get one.
 */
export async function clientAt(
  clients: RemoteClients,
  { service, redirectUri, document, found, fetch, now }: Registration,
): Promise<Result<OAuthClientInformation, 'none' | 'elsewhere'>> {
  const { issuer, metadata } = found;
  const known = await clients.of(service);
  const entered = known.find((one) => one.redirectUri === null);
  if (entered !== undefined) {
    if (entered.issuer === null) await clients.keep({ ...entered, issuer });
    else if (!isSameIssuer(entered.issuer, issuer)) return err('elsewhere');
    return ok(informationOf(entered));
  }
  const byDocument = metadata.client_id_metadata_document_supported === true ? document : null;
  if (byDocument !== null && !byDocument.isPrivate) return ok({ client_id: byDocument.url });
  const registered = known.find((one) => isUsable(one, { issuer, redirectUri, now }));
  if (registered !== undefined) return ok(informationOf(registered));
  if (metadata.registration_endpoint === undefined) {
    return byDocument === null ? err('none') : ok({ client_id: byDocument.url });
  }
  const { registerClient } = await import('@modelcontextprotocol/sdk/client/auth.js');
  const given = await registerClient(issuer, {
    metadata,
    clientMetadata: clientMetadata(redirectUri, methodFor(metadata.token_endpoint_auth_methods_supported ?? [])),
    fetchFn: fetch,
  });
  const { client_id: clientId, client_secret: secret = '', client_secret_expires_at: end = 0 } = given;
  if (clientId.length > maxCredential || secret.length > maxCredential) return err('none');
  const client = {
    service,
    issuer,
    clientId,
    clientSecret: secret === '' ? null : secret,
    redirectUri,
    expiresAt: secret === '' || end === 0 ? null : end * 1_000,
  };
  await clients.keep(client);
  return ok(informationOf(client));
}

/** Returns the client that tokens were issued to; null when it is known no more. Its secret goes to its issuer only. */
export async function clientOfTokens(
  clients: RemoteClients,
  service: ServiceKey,
  { issuer, clientId, documentUrl }: Readonly<{ issuer: string; clientId: string; documentUrl: string | null }>,
): Promise<OAuthClientInformation | null> {
  if (clientId === documentUrl) return { client_id: clientId };
  const known = await clients.of(service);
  const found = known.find(
    (one) => one.clientId === clientId && one.issuer !== null && isSameIssuer(one.issuer, issuer),
  );
  return found === undefined ? null : informationOf(found);
}

/** This server as a client, as it registers itself and as its metadata document says (RFC 7591 §2). */
export function clientMetadata(redirectUri: string, method: 'none' | 'client_secret_basic' | 'client_secret_post') {
  return {
    client_name: 'Portolan',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  };
}

function methodFor(supported: readonly string[]): 'none' | 'client_secret_basic' | 'client_secret_post' {
  if (supported.includes('none')) return 'none';
  // Basic is what a server supports that says nothing (RFC 8414 §2).
  return supported.includes('client_secret_basic') || supported.length === 0
    ? 'client_secret_basic'
    : 'client_secret_post';
}

function isUsable(
  client: RemoteClient,
  { issuer, redirectUri, now }: Readonly<{ issuer: string; redirectUri: string; now: number }>,
): boolean {
  const isIts = client.issuer !== null && isSameIssuer(client.issuer, issuer);
  return isIts && client.redirectUri === redirectUri && (client.expiresAt === null || now < client.expiresAt - earlyMs);
}

function informationOf({ clientId, clientSecret }: RemoteClient): OAuthClientInformation {
  return { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}
