import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { rawRequest, sendRaw } from '#test/support/network/raw-http.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

let server: WholeServer;
let token: string;
const host = 'Host: localhost';

beforeAll(async () => {
  server = await openWholeServer();
  token = await accessToken(server);
});
afterEach(() => {
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const send = (startLine: string, headers: readonly string[], body = '') =>
  sendRaw(server.origin, rawRequest(startLine, headers, body));
const page = (...headers: string[]) => send('GET /page HTTP/1.1', headers);
const post = (path: string, type: string, body: string, ...headers: string[]) =>
  send(`POST ${path} HTTP/1.1`, [host, `Content-Type: ${type}`, `Content-Length: ${body.length}`, ...headers], body);

describe('ambiguous credentials (SESS-017)', () => {
  it.each([
    ['a good and a bad bearer', () => [`Authorization: Bearer ${token}`, 'Authorization: Bearer x'], 400],
    ['a bad and a good bearer', () => ['Authorization: Bearer x', `authorization: Bearer ${token}`], 400],
    ['the same bearer twice', () => [`Authorization: Bearer ${token}`, `AUTHORIZATION: Bearer ${token}`], 400],
    ['two different cookies of the name', () => [`Cookie: user=x; user=${token}`], 401],
    ['two different cookies, the good one first', () => [`Cookie: user=${token}; user=x`], 401],
    ['two different cookies in two headers', () => [`Cookie: user=${token}`, 'Cookie: user=x'], 401],
    ['an empty cookie next to a good one', () => [`Cookie: user=; user=${token}`], 401],
    ['the same cookie twice', () => [`Cookie: user=${token}; user=${token}`], 200],
    ['a cookie whose name only ends so', () => [`Cookie: xuser=${token}`], 401],
    ['a cookie in another case', () => [`Cookie: User=${token}`], 401],
    ['the token in another cookie', () => [`Cookie: a="; user=${token}x"; b=1`], 401],
    [
      'a bearer set off by a tab, next to a good cookie',
      () => ['Authorization: Bearer\tx', `Cookie: user=${token}`],
      401,
    ],
    ['a bearer without a token, next to a good cookie', () => ['Authorization: Bearer', `Cookie: user=${token}`], 401],
    ['a bearer with two tokens', () => [`Authorization: Bearer ${token}, Bearer ${token}`], 401],
    ['a bearer in capitals', () => [`Authorization: BEARER ${token}`], 200],
    ['a bearer with more spaces', () => [`Authorization: Bearer   ${token}  `], 200],
    ['a bearer without a space', () => [`Authorization: Bearer${token}`], 401],
    ['a token as Basic', () => [`Authorization: Basic ${btoa(`user:${token}`)}`], 401],
    ['a token with a NUL', () => [`Cookie: user=${token}%00`], 401],
  ])('are read strictly: %s', async (_, headers, status) => {
    expect((await page(host, ...headers())).status).toBe(status);
  });

  it.each(['access_token', 'token', 'user'])('are not read from the query (%s)', async (name) => {
    expect((await send(`GET /page?${name}=${token} HTTP/1.1`, [host])).status).toBe(401);
  });
});

describe('requests that two servers may parse differently (EDGE-007)', () => {
  it.each([
    ['two Host headers', [host, 'Host: evil.example'], 400],
    ['two Host headers, the evil one first', ['Host: evil.example', host], 400],
    ['no Host', [], 400],
    ['an empty Host', ['Host:'], 403],
    ['a Host with user info', ['Host: localhost@evil.example'], 403],
    ['a Host with a trailing dot', ['Host: localhost.'], 403],
    ['a Host with a path', ['Host: localhost/evil.example'], 403],
    ['two hosts in one', ['Host: localhost, evil.example'], 400],
    ['IPv6 loopback spelt out', ['Host: [0:0:0:0:0:0:0:1]'], 403],
    ['IPv4 loopback in IPv6', ['Host: [::ffff:127.0.0.1]'], 403],
    ['loopback in another notation', ['Host: 2130706433'], 403],
    ['loopback cut short', ['Host: 127.1'], 403],
    ['two Origins', [host, 'Origin: http://localhost', 'Origin: http://evil.example'], 403],
    ['an Origin with a trailing dot', [host, 'Origin: http://localhost.'], 403],
    ['an Origin with user info', [host, 'Origin: http://localhost@evil.example'], 403],
    ['an Origin of a file', [host, 'Origin: file://'], 403],
    ['a forwarded host, without TRUST_PROXY', ['Host: evil.example', 'X-Forwarded-Host: localhost'], 403],
    ['a forwarded host that is evil, without TRUST_PROXY', [host, 'X-Forwarded-Host: evil.example'], 401],
    ['an overridden method', [host, 'X-HTTP-Method-Override: DELETE', 'X-Method-Override: POST'], 401],
    ['an overridden address', [host, 'X-Original-URL: /set', 'X-Rewrite-URL: /set'], 401],
  ])('reach no other host or route: %s', async (_, headers, status) => {
    expect((await page(...headers)).status).toBe(status);
  });

  it.each([
    ['length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], '{}x'],
    ['an odd length', ['Content-Length: +2'], '{}'],
    ['an odd transfer coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
  ])('with a body of %s are refused, and what follows is not read as a request', async (_, headers, body) => {
    const smuggled = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const head = ['POST /register HTTP/1.1', host, 'Content-Type: application/json', ...headers].join('\r\n');
    const answer = await sendRaw(server.origin, `${head}\r\n\r\n${body}${smuggled}`);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('"status":"ok"');
  });

  it.each([
    ['http://[::1/page', 400],
    ['http://', 400],
    ['http:///page', 400],
    ['http://evil.example/page', 403],
    ['http://localhost@evil.example/page', 400],
    ['ftp://localhost/page', 400],
    ['*', 400],
    ['http://localhost/page', 401],
    ['http://LOCALHOST/healthz', 200],
    ['//evil.example/page', 401],
    ['/\\evil.example', 401],
    ['/page%00', 401],
    ['/page/', 401],
    ['/PAGE', 401],
    ['/%70age', 401],
    ['/./page', 401],
    ['/set/../page', 401],
    ['/static/..%2f..%2fpackage.json', 401],
    ['/.well-known/%zz', 404],
    ['/connect/%zz', 401],
    ['/api/vault/vault/%zz', 401],
    ['/authorize?%', 400],
    ['/authorize?client_id=%00', 400],
    ['/authorize?client_id=%ff%fe', 400],
  ])('are refused with the target %s', async (target, status) => {
    expect((await send(`GET ${target} HTTP/1.1`, [host])).status).toBe(status);
  });

  it.each(['/connect/%zz', '/api/vault/vault/%zz', '/api/%zz', '/page%00'])(
    'cause no server error with the target %s, for a signed-in user',
    async (target) => {
      const { status } = await send(`GET ${target} HTTP/1.1`, [host, `Authorization: Bearer ${token}`]);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );

  it.each([
    ['OPTIONS', '/authorize', 405],
    ['TRACE', '/authorize', 405],
    ['PUT', '/token', 405],
    ['PROPFIND', '/set', 405],
    ['GET', '/register', 405],
    ['OPTIONS', '/page', 401],
    ['TRACE', '/page', 401],
    ['HEAD', '/page', 401],
    ['HEAD', '/healthz', 200],
  ])('%s %s get %i', async (method, path, status) => {
    const answer = await send(`${method} ${path} HTTP/1.1`, [host, 'Accept: application/json']);
    expect(answer.status).toBe(status);
    if (method === 'TRACE') expect(answer.text).not.toContain('TRACE');
  });
});

describe('hostile bodies', () => {
  it.each([
    ['__proto__', '{"__proto__":{"isAdmin":true},"client_name":"x"}', 201],
    ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}},"client_name":"x"}', 201],
    ['__proto__ escaped', '{"\\u005f_proto__":{"isAdmin":true}}', 201],
    ['a member named like a method', '{"toString":1,"hasOwnProperty":1,"client_name":"x"}', 201],
    ['100,000 open brackets', '['.repeat(100_000), 400],
    ['100,000 nested lists', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 201],
    ['nested lists as addresses', `{"redirect_uris":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
    ['a byte order mark', '\u00ef\u00bb\u00bf{}', 201],
    ['a number for JSON', '7', 400],
    ['null for JSON', 'null', 400],
    ['nothing', '', 201],
    ['10,000 addresses', `{"redirect_uris":[${Array(10_000).fill('"https://a.example/"').join()}]}`, 400],
    ['one address of 1 MB', `{"redirect_uris":["https://a.example/${'a'.repeat(1_000_000)}"]}`, 400],
    ['a name of 1 MB', `{"client_name":"${'a'.repeat(1_000_000)}"}`, 400],
    ['the same member twice', '{"redirect_uris":["https://a.example/"],"redirect_uris":["javascript:alert(1)"]}', 400],
  ])('in JSON cause no server error: %s', async (_, body, status) => {
    const answer = await post('/register', 'application/json', body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('isAdmin');
    expect({}).not.toHaveProperty('isAdmin');
  });

  it.each([
    ['utf-16', 'application/json; charset=utf-16', 400],
    ['utf-7', 'application/json; charset="utf-7"', 400],
    ['a charset after ours', 'application/json; charset=utf-8; charset=utf-7', 201],
    ['another type', 'text/plain', 400],
    ['JSON in a form', 'application/x-www-form-urlencoded', 400],
    ['two types', 'text/html, application/json', 400],
    ['a part of a form', 'multipart/form-data; boundary=x', 400],
  ])('cause no server error with the content type: %s', async (_, type, status) => {
    expect((await post('/register', type, '{}')).status).toBe(status);
  });

  it('count by their decompressed size (EDGE-013)', async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000, ' ')).toString('latin1');
    const answer = await post('/register', 'application/json', bomb, 'Content-Encoding: gzip');
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_client_metadata' });
    const packed = gzipSync('{"client_name":"Packed"}').toString('latin1');
    expect((await post('/register', 'application/json', packed, 'Content-Encoding: gzip')).status).toBe(201);
  });

  it.each([
    ['a broken archive', 'gzip', 'not gzip at all', 400],
    ['an unknown coding', 'evil', '{}', 400],
    ['two codings', 'gzip, gzip', '{}', 400],
  ])('are refused: %s', async (_, coding, body, status) => {
    expect((await post('/register', 'application/json', body, `Content-Encoding: ${coding}`)).status).toBe(status);
  });

  it('over 1 MiB are refused before they have arrived, and the connection is closed (EDGE-005)', async () => {
    const head = rawRequest('POST /token HTTP/1.1', [
      host,
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 1048577',
    ]);
    const answer = await sendRaw(server.origin, `${head}code=`);
    expect(answer.status).toBe(413);
    expect(answer.head).toMatch(/^connection: close$/im);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
  });

  it('with headers over 16 KiB are refused by the parser (EDGE-014)', async () => {
    expect((await page(host, `Cookie: user=${'x'.repeat(20_000)}`)).status).toBe(431);
  });
});
