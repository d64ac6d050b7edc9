import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';

/** What somebody was granted: the client, the scopes, and the resource that the tokens are for. */
type Grant = Readonly<{ clientId: string; scopes: readonly string[]; resource: string | null; challenge: string }>;

/** A real MCP server behind the SDK's own OAuth, with what it saw. */
export type ProtectedServer = AsyncDisposable &
  Readonly<{
    url: string;
    issuer: string;
    /** The clients that registered, and the grants of codes, tokens and refresh tokens. */
    clients: ReadonlyMap<string, OAuthClientInformationFull>;
    tokens: ReadonlyMap<string, Grant>;
    /** The bearer tokens that the MCP endpoint was called with. */
    bearers: readonly string[];
    /** Ends all access tokens, as when their time is over. */
    expire(): void;
  }>;

/** Starts the server; its one tool says with which scopes it was called. `lifetimeS` is what its tokens say. */
export async function startProtectedServer({ lifetimeS = 3_600 } = {}): Promise<ProtectedServer> {
  const clients = new Map<string, OAuthClientInformationFull>();
  const [codes, tokens, refreshes] = [new Map<string, Grant>(), new Map<string, Grant>(), new Map<string, Grant>()];
  const bearers: string[] = [];
  const issued = (grant: Grant) => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.set(access, grant);
    refreshes.set(refresh, grant);
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'bearer',
      expires_in: lifetimeS,
      scope: grant.scopes.join(' '),
    };
  };
  const taken = (grants: Map<string, Grant>, key: string, clientId: string): Grant => {
    const grant = grants.get(key);
    grants.delete(key);
    if (grant === undefined || grant.clientId !== clientId) throw new Error('unknown');
    return grant;
  };
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        const full = { ...client, client_id: randomUUID(), client_id_issued_at: 1 };
        clients.set(full.client_id, full);
        return full;
      },
    },
    authorize: async (client, { state, scopes = [], codeChallenge, redirectUri, resource }, response) => {
      const code = randomUUID();
      const grant = { clientId: client.client_id, scopes, resource: resource?.href ?? null, challenge: codeChallenge };
      codes.set(code, grant);
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      if (state !== undefined) back.searchParams.set('state', state);
      response.redirect(back.href);
    },
    challengeForAuthorizationCode: async (_, code) => codes.get(code)?.challenge ?? '',
    exchangeAuthorizationCode: async ({ client_id: id }, code, _verifier, _redirect, resource) => {
      const grant = taken(codes, code, id);
      if (resource?.href !== grant.resource) throw new Error('another resource');
      return issued(grant);
    },
    exchangeRefreshToken: async ({ client_id: id }, refresh) => issued(taken(refreshes, refresh, id)),
    verifyAccessToken: async (token) => {
      bearers.push(token);
      const grant = tokens.get(token);
      if (grant === undefined) {
        const { InvalidTokenError } = await import('@modelcontextprotocol/sdk/server/auth/errors.js');
        throw new InvalidTokenError('unknown');
      }
      const { clientId, scopes, resource } = grant;
      const at = { expiresAt: Math.floor(Date.now() / 1_000) + 3_600 };
      return {
        token,
        clientId,
        scopes: [...scopes],
        ...at,
        ...(resource === null ? {} : { resource: new URL(resource) }),
      };
    },
    revokeToken: async (_, { token }) => {
      refreshes.delete(token);
      tokens.delete(token);
    },
  };
  const app = createMcpExpressApp();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://localhost:${portOf(server.address())}`;
  const url = `${origin}/mcp`;
  const issuerUrl = new URL(origin);
  const scopesSupported = ['mcp:tools'];
  app.use(mcpAuthRouter({ provider, issuerUrl, scopesSupported, resourceServerUrl: new URL(url), ...unlimited }));
  const bearer = requireBearerAuth({
    verifier: provider,
    requiredScopes: scopesSupported,
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(url)),
    expectedResource: new URL(url),
  });
  app.all('/mcp', bearer, async (request, response) => {
    const mcp = new McpServer({ name: 'protected', version: '1' });
    mcp.registerTool('scopes', { description: 'Says with which scopes it was called.' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: authInfo?.scopes.join(' ') ?? '' }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void mcp.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  return {
    url,
    issuer: issuerUrl.href,
    clients,
    tokens,
    bearers,
    expire: () => tokens.clear(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const unlimited = {
  authorizationOptions: { rateLimit: false },
  clientRegistrationOptions: { rateLimit: false },
  tokenOptions: { rateLimit: false },
  revocationOptions: { rateLimit: false },
} as const;

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
