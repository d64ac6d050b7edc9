import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { personalToken } from '#test/emulators/sales-crm/emulator.ts';
import { register } from '#test/support/authorization/auth-flow.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

let target: Target;
let insider: string;
let inner: LoopbackServer;
let asked: string[];
beforeAll(async () => {
  asked = [];
  inner = await serveOnLoopback((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"of":"an inner service"}');
  });
  target = await openTarget();
  insider = await target.addUser(2, 'vault');
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
  await inner.close();
});

const saved = (token: string, base_url: string) => {
  const body = { service: 'vault', auth_method: 'api_key', access_token: 'x', extra: { base_url } };
  return target.call('POST', '/save', { token, body });
};

describe('the address of a vault', () => {
  it.each([
    ['a query', (url: string) => `${url}/?x=`],
    ['an empty query', (url: string) => `${url}/?`],
    ['a fragment', (url: string) => `${url}/#`],
    ['user info', (url: string) => url.replace('://', '://user:word@')],
    ['a link-local address', () => 'http://169.254.169.254/latest/meta-data'],
    ['a link-local address in hexadecimal', () => 'http://0xa9fea9fe/'],
    ['a link-local address in IPv6', () => 'http://[fe80::1]/'],
    ['a link-local address as IPv4 in IPv6', () => 'http://[::ffff:169.254.169.254]/'],
  ])('with %s is refused for everybody, and no request is sent there', async (_, spoilt) => {
    asked.length = 0;
    for (const token of [insider, target.admin]) {
      const { status, text } = await saved(token, spoilt(inner.url));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(text).toMatch(/base_url|address/);
    }
    expect(asked).toEqual([]);
  });

  it.each([
    ['loopback', () => inner.url],
    ['loopback by name', () => inner.url.replace('127.0.0.1', 'localhost')],
    ['loopback cut short', () => inner.url.replace('127.0.0.1', '127.1')],
    ['loopback as a number', () => inner.url.replace('127.0.0.1', '2130706433')],
    ['loopback in octal', () => inner.url.replace('127.0.0.1', '0177.0.0.1')],
    ['the unspecified address', () => inner.url.replace('127.0.0.1', '0.0.0.0')],
    ['loopback as IPv4 in IPv6', () => inner.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
    ['loopback in IPv6', () => inner.url.replace('127.0.0.1', '[::1]')],
    ['another loopback address', () => inner.url.replace('127.0.0.1', '127.9.9.9')],
    ['a private address', () => 'http://10.0.0.1/'],
    ['a private address of another block', () => 'http://192.168.1.1/'],
    ['a private address in IPv6', () => 'http://[fd00::1]/'],
    ['a shared address', () => 'http://100.64.0.1/'],
  ])('%s is refused for a user who is not an administrator, and no request is sent there', async (_, url) => {
    asked.length = 0;
    const { status } = await saved(insider, url());
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    const { text } = await target.call('GET', '/api/vault/vault/', { token: insider });
    expect(text).not.toContain('an inner service');
    expect(asked).toEqual([]);
  });
});

describe('a redirect scheme', () => {
  it.each([
    'ms-msdt:/id',
    'search-ms:query=x',
    'shell:startup',
    'chrome-extension://abcdef/cb',
    'feed:javascript:alert(1)',
    'javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example/x',
    'about:blank',
    'view-source:https://app.example/',
    'jar:https://app.example!/x',
    'intent://x#Intent;scheme=http;end',
    'ws://app.example/',
    'ftp://app.example/',
    'mailto:a@example.com',
    'tel:1',
    'https://user:word@app.example/cb',
    'https://app.example/cb#x',
    'https://*.example/',
    'https://*/cb',
    'http://app.example/cb',
    'http://169.254.169.254/cb',
    '/cb',
    '',
  ])('%j is rejected (REG-010)', async (uri) => {
    const answer = await register(target, { redirect_uris: [uri] });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
  });

  it.each([
    'https://app.example/cb',
    'http://127.0.0.1:1/cb',
    'http://localhost:1/cb',
    'com.example.app:/cb',
    'cursor://x/cb',
  ])('%s is accepted', async (uri) => expect((await register(target, { redirect_uris: [uri] })).status).toBe(201));
});

describe('a service that redirects its callers', () => {
  it.each([
    ['a loopback address', (url: string) => url],
    ['a loopback address by name', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['a link-local address', () => 'http://169.254.169.254/latest/meta-data'],
    ['a file', () => 'file:///etc/passwd'],
  ])('to %s is not followed with a token, and reveals nothing from there', async (_, elsewhere) => {
    asked.length = 0;
    const provider = await serveOnLoopback((request, response) => {
      const isFile = request.url?.includes('download') === true;
      if (isFile) response.writeHead(302, { location: `${elsewhere(inner.url)}/inner` }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{"id":1}}');
    });
    await using other = await openTarget({ SALES_CRM_URL: provider.url });
    const body = { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken };
    await other.call('POST', '/save', { token: other.admin, body });
    const { text } = await other.call('GET', '/api/sales_crm/files/1/download', { token: other.admin });
    await provider.close();
    expect(JSON.stringify(asked)).not.toContain(personalToken);
    expect(text).not.toContain('root:');
  });
});
