import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request that arrived: its method and path, its credentials and its body. */
export type Arrived = Readonly<{ what: string; authorization: string | null; body: string }>;

/** What a path is answered with. */
export type Lie = Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: unknown }>;

/** A server that answers each path as it is given, with the documents of an honest one for the others. */
export type LyingServer = AsyncDisposable &
  Readonly<{ origin: string; url: string; arrived: readonly Arrived[]; answers: Map<string, Lie> }>;

/** Starts it on localhost. */
export async function startLyingServer(): Promise<LyingServer> {
  const arrived: Arrived[] = [];
  const answers = new Map<string, Lie>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://any').pathname;
    const body = await bodyOf(request);
    arrived.push({ what: `${request.method} ${path}`, authorization: request.headers.authorization ?? null, body });
    const { status = 200, headers = {}, body: given } = answers.get(path) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof given === 'string' ? given : JSON.stringify(given ?? {}));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const origin = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
  for (const [path, lie] of Object.entries(honestAnswers(origin))) answers.set(path, lie);
  return {
    origin,
    url: `${origin}/mcp`,
    arrived,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answers of an honest server: its challenge, its metadata, a registration and tokens. */
export function honestAnswers(origin: string): Readonly<Record<string, Lie>> {
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  return {
    '/mcp': { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}", scope="read"` } },
    '/.well-known/oauth-protected-resource/mcp': {
      body: { resource: `${origin}/mcp`, authorization_servers: [origin] },
    },
    '/.well-known/oauth-authorization-server': { body: authorizationServer(origin) },
    '/register': { status: 201, body: { client_id: 'the-client', redirect_uris: [] } },
    '/token': {
      body: { access_token: 'the-access', refresh_token: 'the-refresh', token_type: 'Bearer', expires_in: 60 },
    },
  };
}

/** The metadata of an authorization server (RFC 8414). */
export const authorizationServer = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  revocation_endpoint: `${origin}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
