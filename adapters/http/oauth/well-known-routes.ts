import { resourcePathOf, resourcePaths } from '#adapters/http/oauth/own-resource.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { knownScopes } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The address of the metadata of the protected resource at a path of this server (RFC 9728 §3.1). */
export function resourceMetadataUrl(baseUrl: string, path: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resourcePathOf(path)}`;
}

/**
 * Serves `/.well-known/*`: RFC 8414 and RFC 9728 metadata when it is on; any other path is 404 as JSON, whatever
 * `Accept` asks for.
 */
export function wellKnownRoutes({
  baseUrl,
  oauthMetadata,
  services,
}: Readonly<{ baseUrl: string; oauthMetadata: boolean; services: readonly ServiceKey[] }>): Route[] {
  const documents = oauthMetadata ? metadataDocuments(baseUrl, services) : [];
  return [
    ...documents.map(([path, body]) => documentRoute(path, body)),
    ...methods.map((method) => ({
      method,
      path: '/.well-known/*path',
      who: 'public' as const,
      body: 'none' as const,
      run: notHere,
    })),
  ];
}

function notHere(ctx: RouteContext): void {
  ctx.status = 404;
  ctx.body = { error: 'not_found', error_description: 'There is nothing at this address.' };
}

function documentRoute(path: string, body: Readonly<Record<string, unknown>>): Route {
  const text = JSON.stringify(body);
  const run = (ctx: RouteContext): void => {
    ctx.status = 200;
    ctx.type = 'application/json';
    ctx.body = text;
  };
  return { method: 'GET', path: `/.well-known/${path}`, who: 'public', body: 'none', run };
}

function metadataDocuments(
  baseUrl: string,
  services: readonly ServiceKey[],
): ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> {
  const scopes = { scopes_supported: knownScopes(services) };
  const server = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/authorize`,
    token_endpoint: `${baseUrl}/token`,
    registration_endpoint: `${baseUrl}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    // RFC 9207 §3: without it clients may not rely on `iss`.
    authorization_response_iss_parameter_supported: true,
    ...scopes,
    client_id_metadata_document_supported: true,
  };
  const resource = (path: string) => ({
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    // A client that asks for less than everything finds here what there is (RFC 9728 §2).
    ...scopes,
    resource_name: 'Portolan',
  });
  return [
    ['oauth-authorization-server', server],
    ...resourcePaths.map((path) => [`oauth-protected-resource${path}`, resource(path)] as const),
  ];
}
