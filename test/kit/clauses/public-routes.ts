import { equal, holds, lacks, listAt, matches, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, inMode, portolan } from '#test/kit/clause.ts';
import { authorizePath } from '#test/kit/kit.ts';

const protectedRoutes: readonly (readonly [string, string])[] = [
  ['GET', '/floki/index'],
  ['GET', '/page'],
  ['POST', '/message'],
  ['GET', '/sse'],
  ['POST', '/save'],
];

const publicPaths = ['/set', '/login', '/healthz', '/readyz', '/robots.txt'] as const;

const json = { accept: 'text/html', 'content-type': 'application/json' };

/** Clauses on public routes, and on those that need a session. */
export const publicRoutes: readonly Clause[] = [
  ...protectedRoutes.map(([method, path]) =>
    contract(`PUB-002/${path.slice(1)}`, `${method} ${path} is 401 without a session`, async (kit) => {
      status(await kit.send({ method, path, headers: json, ...(method === 'POST' ? { body: '{}' } : {}) }), 401);
    }),
  ),
  ...publicPaths.map((path) =>
    portolan(`PUB-001${path}`, `GET ${path} needs no session`, async (kit) => {
      status(await kit.get(path), 200);
    }),
  ),
  portolan('PUB-001/authorize', '/register, /authorize and /token need no session', async (kit) => {
    status(await kit.get(authorizePath(await kit.client())), 200);
    holds((await kit.tokenRequest('')).status !== 401, 'no 401 for lack of a session', 401);
  }),
  portolan(
    'PUB-003',
    'an unknown path is 401 without a session and 404 with one',
    async (kit) => {
      const path = '/no/such/path';
      status(await kit.get(path), 401);
      status(await (await kit.signedIn()).get(path), 404);
    },
    ['login'],
  ),
  portolan('PUB-004', 'GET /healthz answers {"status":"ok"}', async (kit) => {
    const answer = await kit.get('/healthz');
    status(answer, 200);
    equal(answer.json, { status: 'ok' }, 'the body');
  }),
  portolan('PUB-005', 'GET /readyz answers 200 while the database answers', async (kit) => {
    status(await kit.get('/readyz'), 200);
  }),
  ...(
    [
      ['GET', '/token'],
      ['DELETE', '/register'],
      ['GET', '/webhooks/tracker'],
    ] as const
  ).map(([method, path]) =>
    portolan(`PUB-006${path}`, `${method} ${path} is 405 with Allow`, async (kit) => {
      const answer = await kit.send({ method, path });
      status(answer, 405);
      matches(answer.header('allow'), /POST/, 'Allow');
    }),
  ),
  portolan('PUB-007', 'HEAD answers with the status and headers of GET and no body', async (kit) => {
    const [get, head] = [
      await kit.get('/login'),
      await kit.send({ method: 'HEAD', path: '/login', headers: { accept: 'text/html' } }),
    ];
    equal(head.status, get.status, 'the status');
    equal(head.header('content-type'), get.header('content-type'), 'the content type');
    equal(head.bytes.length, 0, 'the length of the body');
  }),
  portolan('PUB-008', '/healthz and /readyz answer whatever the Host header says', async (kit) => {
    for (const path of ['/healthz', '/readyz'])
      status(await kit.send({ path, headers: { host: 'elsewhere.example' } }), 200);
  }),
  ...['oauth-authorization-server', 'oauth-protected-resource', 'openid-configuration', 'anything'].map((name) =>
    inMode(
      { metadata: 'off' },
      portolan(`META-001/${name}`, `/.well-known/${name} is 404 JSON while metadata is off`, async (kit) => {
        const answer = await kit.get(`/.well-known/${name}`);
        status(answer, 404);
        matches(answer.header('content-type'), /^application\/json\b/, 'the content type');
      }),
    ),
  ),
  inMode(
    { metadata: 'off' },
    contract('META-005', 'the discovery route is switched off', async (kit) => {
      const answer = await kit.get('/.well-known/oauth-authorization-server');
      holds(answer.status >= 400 && answer.status < 500, 'no metadata', `${answer.status} ${answer.text}`);
    }),
  ),
  inMode(
    { metadata: 'off' },
    portolan('META-004', 'WWW-Authenticate names no resource_metadata while metadata is off', async (kit) => {
      const answer = await kit.send({ method: 'POST', path: '/message', headers: json, body: '{}' });
      matches(answer.header('www-authenticate'), /^Bearer\b/, 'WWW-Authenticate');
      lacks(answer.header('www-authenticate'), 'resource_metadata', 'WWW-Authenticate');
    }),
  ),
  inMode(
    { metadata: 'on' },
    contract('META-002', 'the discovery route has the eight members, with this server’s addresses', async (kit) => {
      const answer = await kit.get('/.well-known/oauth-authorization-server', { accept: 'application/json' });
      status(answer, 200);
      matches(answer.header('content-type'), /^application\/json\b/, 'the content type');
      const members = {
        issuer: kit.baseUrl,
        authorization_endpoint: `${kit.baseUrl}/authorize`,
        token_endpoint: `${kit.baseUrl}/token`,
        registration_endpoint: `${kit.baseUrl}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        code_challenge_methods_supported: ['S256'],
      };
      for (const [name, value] of Object.entries(members)) equal(member(answer.json, name), value, name);
      holds(
        listAt(answer.json, 'token_endpoint_auth_methods_supported').includes('client_secret_post'),
        'client_secret_post among token_endpoint_auth_methods_supported',
        answer.json,
      );
    }),
  ),
  inMode(
    { metadata: 'on' },
    portolan('META-003', 'the metadata of the protected resource names this server', async (kit) => {
      for (const path of ['', '/message', '/mcp', '/sse']) {
        const answer = await kit.get(`/.well-known/oauth-protected-resource${path}`);
        status(answer, 200);
        equal(member(answer.json, 'resource'), `${kit.baseUrl}${path}`, 'resource');
        equal(member(answer.json, 'authorization_servers'), [kit.baseUrl], 'authorization_servers');
      }
    }),
  ),
  inMode(
    { metadata: 'on' },
    portolan('META-004/on', 'WWW-Authenticate names resource_metadata while metadata is on', async (kit) => {
      const answer = await kit.send({ method: 'POST', path: '/message', headers: json, body: '{}' });
      matches(answer.header('www-authenticate'), /^Bearer\b.*resource_metadata=/, 'WWW-Authenticate');
    }),
  ),
];
