import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { browserWords } from '#adapters/http/people/browser-words.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { adminPassword, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const list = z.object({
  data: z.array(
    z.object({ id: z.string(), current: z.boolean(), browser: z.string(), last_seen_at: z.number().nullable() }),
  ),
});

let server: WholeServer;
let ada: PlainBrowser;
beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Another browser in which the administrator signs in. */
async function elsewhere(userAgent = firefox): Promise<PlainBrowser> {
  const browser = new PlainBrowser(server);
  const headers = { 'user-agent': userAgent };
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, email: 'admin@localhost', password: adminPassword }, headers);
  return browser;
}
const sessions = async (browser = ada) =>
  list.parse((await sendJson(server, browser, ['GET', '/api/account/sessions'])).body).data;
const isIn = async (browser: PlainBrowser) => (await browser.get('/account')).status === 200;

describe('the sessions of a person', () => {
  it('are listed with browser, times and which one this is (ACCT-007)', async () => {
    const other = await elsewhere();
    expect(await isIn(other)).toBe(true);
    await expect
      .poll(() => sessions())
      .toMatchObject([
        { current: false, browser: 'Firefox on Linux', last_seen_at: expect.any(Number) },
        { current: true, browser: 'An unknown browser', last_seen_at: expect.any(Number) },
      ]);
    const html = await (await ada.get('/account')).text();
    expect(html).toContain('Firefox on Linux');
    expect(html.match(/This one/g)).toHaveLength(1);
  });

  it('end one by one, by a form and by JSON, at once (ACCT-008)', async () => {
    const [first, second] = [await elsewhere(), await elsewhere()];
    expect([await isIn(first), await isIn(second)]).toEqual([true, true]);
    const html = await (await ada.get('/account')).text();
    const ofSecond = (await sessions(second)).find(({ current }) => current)?.id ?? '';
    const action = `/account/sessions/${ofSecond}/end`;
    expect(html).toContain(action);
    expect((await ada.post(action, { csrf_token: 'forged' })).status).toBe(403);
    expect((await ada.post(action, hiddenFields(html))).status).toBe(303);
    expect([await isIn(first), await isIn(second), await isIn(ada)]).toEqual([true, false, true]);
    const ofFirst = (await sessions(first)).find(({ current }) => current)?.id ?? '';
    const removed = await sendJson(server, ada, ['DELETE', `/api/account/sessions/${ofFirst}`]);
    expect(removed).toEqual({ status: 200, body: { id: ofFirst, state: 'ended' } });
    expect([await isIn(first), await isIn(ada)]).toEqual([false, true]);
    expect((await sendJson(server, ada, ['DELETE', `/api/account/sessions/${ofFirst}`])).status).toBe(404);
  });

  it('end all but this one, while apps stay signed in (ACCT-008)', async () => {
    const [first, second] = [await elsewhere(), await elsewhere()];
    const token = await grantToken(server.origin, ada, { name: 'Stays' });
    const fields = hiddenFields(await (await ada.get('/account')).text());
    expect((await ada.post('/account/sessions/end-others', fields)).status).toBe(303);
    expect([await isIn(first), await isIn(second), await isIn(ada)]).toEqual([false, false, true]);
    expect(await sessions()).toMatchObject([{ current: true }]);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.origin}/api/connections`, { headers })).status).toBe(200);
  });

  it('are neither seen nor ended by others (ACCT-009)', async () => {
    const bob = await invited(server, ada, 'bob@example.com');
    const ofAda = (await sessions()).map(({ id }) => id);
    expect((await sessions(bob)).some(({ id }) => ofAda.includes(id))).toBe(false);
    for (const id of [...ofAda, '__proto__', '%25']) {
      expect((await sendJson(server, bob, ['DELETE', `/api/account/sessions/${id}`])).status).toBe(404);
    }
    expect(await isIn(ada)).toBe(true);
  });
});

describe('the words for a browser', () => {
  it.each([
    [firefox, 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['<script>', 'An unknown browser'],
    [null, 'An unknown browser'],
  ])('%s is %s (ACCT-007)', (userAgent, words) => {
    expect(browserWords(userAgent)).toBe(words);
  });
});
