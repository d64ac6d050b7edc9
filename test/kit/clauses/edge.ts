import { connect } from 'node:net';
import { contains, equal, holds, lacks, matches, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, recommended } from '#test/kit/clause.ts';
import { unescaped } from '#test/kit/forms.ts';
import { authorizePath, type Kit } from '#test/kit/kit.ts';
import { isRefused } from '#test/kit/redirects.ts';
import { placeOf } from '#test/kit/wire.ts';

const asJson = { 'content-type': 'application/json' };
const MiB = 1024 * 1024;

/** Sends raw bytes and reads until the target closes the connection; returns the status of the first response. */
async function rawStatus(kit: Kit, bytes: string): Promise<number> {
  const { hostname, port } = placeOf(kit.baseUrl).place;
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
    });
    socket.on('error', (error) => (said === '' ? reject(error) : undefined));
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0)));
  });
}

const smuggled: readonly (readonly [string, string])[] = [
  [
    'both-lengths',
    'POST /token HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['two-lengths', 'POST /token HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
  ['no-host', 'GET /set HTTP/1.1\r\n\r\n'],
];

/** Clauses on the HTTP edge: hosts, origins, sizes, malformed requests. */
export const edge: readonly Clause[] = [
  recommended('EDGE-001', 'another Host is 403', async (kit) => {
    isRefused(kit, await kit.send({ path: '/authorize', headers: { host: 'elsewhere.example' } }), 403);
  }),
  recommended('EDGE-002', 'a foreign Origin is 403', async (kit) => {
    isRefused(kit, await kit.send({ path: '/authorize', headers: { origin: 'https://elsewhere.example' } }), 403);
  }),
  portolan('EDGE-003', 'CORS is answered on /token and never on pages', async (kit) => {
    const headers = { origin: kit.baseUrl };
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    const answer = await kit.send({ method: 'OPTIONS', path: '/token', headers: preflight });
    equal(answer.header('access-control-allow-origin'), kit.baseUrl, 'access-control-allow-origin');
    equal(
      (await kit.send({ path: '/login', headers })).header('access-control-allow-origin'),
      '',
      'access-control-allow-origin of a page',
    );
  }),
  recommended(
    'EDGE-004',
    'with a cookie, an unsafe method from another site changes nothing',
    async (kit) => {
      const browser = await kit.signedIn();
      const body = JSON.stringify({ service: 'sales_crm' });
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://127.0.0.1:1' }]) {
        const asking = { ...kit.routed('POST', '/disconnect'), headers: { ...asJson, ...headers }, body };
        isRefused(kit, await browser.ask(asking), 403);
      }
    },
    ['login'],
  ),
  recommended('EDGE-005', 'a body over 1 MiB is 413', async (kit) => {
    const body = JSON.stringify({ client_name: 'x'.repeat(MiB) });
    isRefused(kit, await kit.send({ method: 'POST', path: '/register', headers: asJson, body }), 413);
  }),
  portolan(
    'EDGE-006',
    'every answer has nosniff, a content security policy without unsafe-inline, and a request id',
    async (kit) => {
      for (const path of ['/login', '/floki/index', '/healthz', '/.well-known/x', '/token']) {
        const answer = await kit.get(path);
        equal(answer.header('x-content-type-options'), 'nosniff', `${path}: x-content-type-options`);
        lacks(answer.header('content-security-policy'), 'unsafe-inline', `${path}: content-security-policy`);
        holds(answer.header('content-security-policy') !== '', `${path}: a content security policy`, answer.headers);
        holds(answer.header('x-request-id') !== '', `${path}: a request id`, answer.headers);
      }
    },
  ),
  ...smuggled.map(([variant, bytes]) =>
    recommended(`EDGE-007/${variant}`, `a request that is not well formed is refused: ${variant}`, async (kit) => {
      equal(await rawStatus(kit, bytes.replace('HOST', new URL(kit.baseUrl).host)), 400, 'the status');
    }),
  ),
  recommended(
    'EDGE-009',
    'no answer redirects to an address that a request chose',
    async (kit) => {
      const chosen = 'https://evil.example/';
      const browser = await kit.signedIn();
      const names = ['return_to', 'next', 'redirect', 'redirect_uri', 'url', 'continue'];
      const query = names.map((name) => `${name}=${encodeURIComponent(chosen)}`).join('&');
      const paths = [
        `/login?${query}`,
        `/logout?${query}`,
        `/?${query}`,
        '//evil.example/',
        '/\\evil.example/',
        `/page?${query}`,
      ];
      for (const path of paths) {
        for (const answer of [await browser.get(path), await kit.get(path)]) {
          lacks(answer.header('location'), 'evil.example', `the location of ${path}`);
        }
      }
    },
    ['login'],
  ),
  contract('EDGE-010', 'static files are served without any session, and before one is looked at', async (kit) => {
    const page = await kit.get(authorizePath(await kit.client()));
    const file = /<link\b[^>]*href="(\/[^"]+\.css[^"]*)"/i.exec(page.text)?.[1];
    if (file === undefined) throw new Skipped('the login page names no style sheet of the server');
    status(await kit.send({ path: unescaped(file), headers: { cookie: 'user=nonsense' } }), 200);
  }),
  portolan(
    'EDGE-011',
    'a body on /message may have more than 1 MiB, and not more than 4 MiB',
    async (kit) => {
      const ping = (size: number): string =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { x: 'x'.repeat(size) } } });
      const send = async (size: number) =>
        kit.send({
          method: 'POST',
          path: '/message',
          headers: {
            ...asJson,
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${await kit.token()}`,
          },
          body: ping(size),
        });
      holds((await send(2 * MiB)).status !== 413, '2 MiB to be taken', 413);
      status(await send(4 * MiB), 413);
    },
    ['login'],
  ),
  recommended('EDGE-014', 'headers of more than 16 KiB are 431', async (kit) => {
    isRefused(kit, await kit.send({ path: '/set', headers: { 'x-long': 'x'.repeat(20_000) } }), 431);
  }),
  portolan('EDGE-012', 'a target in absolute form is answered as the same path', async (kit) => {
    const { host } = new URL(kit.baseUrl);
    const ask = (target: string) =>
      rawStatus(kit, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    equal(await ask(`http://${host}/login`), 200, 'the status of its own authority');
    equal(await ask('http://elsewhere.example/login'), 403, 'the status of another authority');
  }),
  portolan('PAGE-004', 'an error page says what went wrong and has a way on', async (kit) => {
    const page = await kit.get(authorizePath({ ...(await kit.client()), id: 'client_unknown' }));
    status(page, 400);
    matches(page.text, /<a\b[^>]*href=/, 'the page');
    contains(page.text, '<h1', 'the page');
  }),
];
