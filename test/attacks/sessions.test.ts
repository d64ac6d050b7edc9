import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a session token', () => {
  it('is valid in one spelling only: no other last character is accepted (SESS-013)', async () => {
    const accepted = [];
    for (const last of alphabet) {
      const token = `${target.admin.slice(0, -1)}${last}`;
      if ((await target.call('GET', '/api/connections', { token })).status === 200) accepted.push(token);
    }
    expect(accepted).toEqual([target.admin]);
  });

  it.each([
    ['padded', (token: string) => `${token}=`],
    ['followed by a dot', (token: string) => `${token}.`],
    ['without its tag', (token: string) => token.slice(0, token.lastIndexOf('.') + 1)],
    ['with the head of another algorithm', (token: string) => token.replace(/^[^.]+/, btoa('{"alg":"none"}'))],
    ['with its parts exchanged', (token: string) => token.split('.').toReversed().join('.')],
    ['in capitals', (token: string) => token.toUpperCase()],
    ['twice', (token: string) => token + token],
    ['empty', () => ''],
    ['of 1 MB', () => 'x'.repeat(15_000)],
  ])('is refused if it is %s', async (_, altered) => {
    const { status } = await target.call('GET', '/api/connections', { token: altered(target.admin) });
    expect(status).toBe(401);
  });

  it('is refused if its user does not exist, or it is more than 30 days old (SESS-006, SESS-004)', async () => {
    const [nobody, old] = [await target.tokenOf(99), await target.tokenOf(1, Date.now() - 31 * 86_400_000)];
    for (const token of [nobody, old]) {
      expect((await target.call('GET', '/api/connections', { token })).status).toBe(401);
    }
  });

  it.each(['Bearer', 'bearer'])('is not renewed by /set when sent as %s (SESS-014)', async (scheme) => {
    const headers = { authorization: `${scheme} ${target.admin}` };
    const cookies = (await target.call('GET', '/set', { headers })).headers.getSetCookie();
    const browser = new PlainBrowser(target);
    for (const line of cookies) browser.cookies.set('user', /^user=([^;]*)/.exec(line)?.[1] ?? '');
    const page = await browser.get('/floki/index');
    expect(await page.text()).not.toContain(ada.email);
  });

  it('is never logged (ERR-005)', () => {
    expect(JSON.stringify(target.lines)).not.toContain(target.admin);
  });
});

describe('the login', () => {
  it.each(['\0', 'ada@example.com\0', '\0@\0.com', 'a\ud800@example.com', "' or 1=1 --", '%00', 'ada@example.com%00'])(
    'fails with the e-mail %j (USER-006)',
    async (email) => {
      const browser = new PlainBrowser(target);
      const fields = hiddenFields(await (await browser.get('/login')).text());
      expect((await browser.post('/login', { ...fields, email, password: 'x' })).status).toBe(401);
    },
  );

  it('is refused at once while too many others are verified, and counts none of those (AUTH-033)', async () => {
    await using busy = await openAuthApp({
      rateLimits: true,
      passwordCosts: { memoryKib: 19_456, passes: 4, atOnce: 1, maxWaitMs: 100 },
    });
    const browser = new PlainBrowser(busy);
    const fields = hiddenFields(await (await browser.get('/login')).text());
    const login = { ...fields, email: 'nobody@example.com', password: 'x' };
    const flood = await Promise.all(Array.from({ length: 40 }, () => browser.post('/login', login)));
    const refused = flood.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toContain('Many people are signing in at the moment.');
    expect((await browser.post('/login', { ...fields, ...ada })).status).toBe(303);
  });

  it.each(['\0', 'x\0', `${ada.password}\0`, '\ud800'])('fails with the password %j (USER-006)', async (password) => {
    const browser = new PlainBrowser(target);
    const fields = hiddenFields(await (await browser.get('/login')).text());
    expect((await browser.post('/login', { ...fields, email: ada.email, password })).status).toBe(401);
  });
});

describe('a thief', () => {
  it('with a copy of the cookie is signed out together with its owner, also after /set (SESS-025)', async () => {
    const owner = await signedInAt(target.origin, ada);
    const thief = new PlainBrowser(target);
    thief.cookies.set('user', owner.cookies.get('user') ?? '');
    await thief.get('/set');
    expect((await thief.get('/account')).status).toBe(200);
    await owner.post('/logout', hiddenFields(await (await owner.get('/logout')).text()));
    expect((await thief.get('/account')).status).toBe(401);
    await thief.get('/set');
    expect((await thief.get('/account')).status).toBe(403);
  });

  it('who guesses from 40 addresses has 100 guesses a day, and the owner can still sign in (AUTH-032)', async () => {
    await using limited = await openAuthApp({ rateLimits: true, trustProxy: true });
    const guess = async (browser: PlainBrowser, password: string, address: string) => {
      const fields = hiddenFields(await (await browser.get('/login')).text());
      return browser.post('/login', { ...fields, email: ada.email, password }, { 'x-forwarded-for': address });
    };
    const owner = new PlainBrowser(limited);
    expect((await guess(owner, ada.password, '198.51.100.1')).status).toBe(303);
    owner.cookies.delete('user');
    const statuses: number[] = [];
    for (let address = 0; address < 40; address += 1) {
      const thief = new PlainBrowser(limited);
      const guesses = Array.from({ length: 10 }, (_, index) => guess(thief, `guess ${index}`, `203.0.113.${address}`));
      statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300);
    expect((await guess(owner, ada.password, '198.51.100.1')).status).toBe(303);
  });
});

describe('a caller without a session', () => {
  it.each(Object.entries(leastArguments))('cannot call %s over MCP (MCP-001)', async (name, given) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    expect((await target.call('POST', '/message', { body })).status).toBe(401);
  });

  it('cannot call any operation of the interface (PUB-002)', async () => {
    const { text } = await target.call('GET', '/openapi.json', { token: target.admin });
    const paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(text).paths;
    const open: string[] = [];
    for (const [path, item] of Object.entries(paths)) {
      for (const method of Object.keys(item)) {
        const { status } = await target.call(method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, '1'));
        if (status !== 401) open.push(`${method} ${path}: ${status}`);
      }
    }
    expect(Object.keys(paths).length).toBeGreaterThan(100);
    expect(open).toEqual([]);
  });
});
