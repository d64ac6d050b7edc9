import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvOf } from '#domain/text/csv.ts';
import { dayIn, isTimeZone } from '#domain/text/days.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;
let token: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  token = await grantToken(server.origin, ada, { name: '=cmd|calc' });
});

afterAll(() => server[Symbol.asyncDispose]());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
  });
const activity = async (query = '') =>
  ((await sendJson(server, ada, ['GET', `/api/activity${query}`])).body as { data: Record<string, unknown>[] }).data;

describe('the activity log of a whole server', () => {
  it('records calls over REST and over MCP, and not a person’s own (ACT-011, PAGE-028)', async () => {
    await call('/api/vault/vault/Deals/Acme.md');
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const params = { name: 'vault_search', arguments: { query: 'Acme' } };
    expect((await call('/message', { method: 'POST', body: JSON.stringify({ ...message, params }) })).status).toBe(200);
    await sendJson(server, ada, ['GET', '/api/vault/vault/Mine.md']);
    await expect.poll(async () => (await activity()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    const entries = await activity();
    expect(entries.every(({ app, service }) => app === '=cmd|calc' && service === 'vault')).toBe(true);
    expect(entries.map(({ record_id: record }) => record)).not.toContain('Mine.md');
    expect(await activity('?service=tracker')).toEqual([]);
    const page = await (await ada.get('/activity')).text();
    expect(page).toMatch(/data-label="Effect"[^>]*><span class="pill ">read</);
    expect(await activity('?day=2020-01-01')).toEqual([]);
  });

  it('of other users is refused to an app, even to an administrator’s (ACT-011)', async () => {
    for (const query of ['?of=all', '?of=all&user=1', '?user=2']) {
      expect((await call(`/api/activity${query}`)).status, query).toBe(403);
      expect((await sendJson(server, ada, ['GET', `/api/activity${query}`])).status, query).not.toBe(403);
    }
    expect((await call('/api/activity?user=1')).status).toBe(200);
  });

  it('is shown on the page, which works with links and a form (ACT-005)', async () => {
    const html = await (await ada.get('/activity?service=vault&day=&user=')).text();
    expect(html).toContain('=cmd|calc');
    expect(html).toMatch(/<time datetime=/);
    expect(await (await ada.get('/activity?service=tracker')).text()).toContain('No activity matches these filters.');
  });

  it('links to the page of a note, which is shown as text and to its own user only (ACT-010)', async () => {
    const content = '# <b>Won</b>\n\n<script>alert(1)</script> 5 > 3\n';
    const path = 'Deals/<Acme> & "Co".md';
    await sendJson(server, ada, ['PUT', `/api/vault/vault/${encodeURIComponent(path)}`, { content }]);
    await call(`/api/vault/vault/${encodeURIComponent(path)}`);
    const listed = async () => (await ada.get('/activity?service=vault')).text();
    await expect.poll(listed, { timeout: 30_000 }).toContain('href="/activity/note?path=Deals%2F%3CAcme%3E');
    const shown = await ada.get(`/activity/note?path=${encodeURIComponent(path)}`);
    const html = await shown.text();
    expect(shown.status).toBe(200);
    expect(html).toContain('# &lt;b&gt;Won&lt;/b&gt;');
    expect(html).not.toContain('<script>alert');
    for (const [query, status] of [
      ['?path=Deals%2FNone.md', 404],
      ['?path=..%2Fserver.db', 400],
      ['?path=A.md&path=B.md', 400],
      ['', 400],
    ] as const) {
      expect((await ada.get(`/activity/note${query}`)).status, query).toBe(status);
    }
    expect((await call(`/activity/note?path=${encodeURIComponent(path)}`)).status).toBe(403);
    await sendJson(server, ada, ['PUT', '/api/vault/vault/Long.md', { content: 'x'.repeat(200_001) }]);
    const long = await (await ada.get('/activity/note?path=Long.md')).text();
    expect(long.match(/x{100,}/)?.[0].length).toBe(200_000);
    expect(long).toContain('too long for this page');
  });

  it('of all users is for administrators in person: their apps see only their own user’s (ACT-011, SESS-020)', async () => {
    const bob = await invited(server, ada, 'bob@example.com', { permissions: ['vault'] });
    const ofBob = await grantToken(server.origin, bob, { name: 'Bob’s app' });
    const headers = { authorization: `Bearer ${ofBob}` };
    await fetch(`${server.origin}/api/vault/vault/Bob.md`, { headers });
    const appsOf = (entries: readonly Record<string, unknown>[]) => new Set(entries.map(({ app }) => app));
    await expect.poll(async () => appsOf(await activity('?of=all')), { timeout: 30_000 }).toContain('Bob’s app');
    const seen = (await (await call('/api/activity')).json()) as { data: Record<string, unknown>[] };
    expect(seen.data.length).toBeGreaterThan(0);
    expect(appsOf(seen.data)).not.toContain('Bob’s app');
    for (const others of ['?of=all', '?of=all&user=2']) expect((await call(`/api/activity${others}`)).status).toBe(403);
  });

  it('of one user is found by e-mail or id, and of nobody else (USER-033)', async () => {
    const page = async (user: string) => ada.get(`/activity?of=all&user=${encodeURIComponent(user)}`);
    expect(await (await page('ADMIN@localhost')).text()).toContain('value="admin@localhost"');
    expect((await page('1')).status).toBe(200);
    expect((await page('nobody@example.com')).status).toBe(400);
  });

  it('is a file without formulas for administrators, and not for apps (ACT-006)', async () => {
    const csv = await (await ada.get('/activity.csv')).text();
    expect(csv).toContain('"\'=cmd|calc"');
    expect(csv).not.toContain(',"=cmd');
    expect((await call('/activity.csv')).status).toBe(403);
  });

  it('is counted by tool (ACT-008)', async () => {
    expect(await (await ada.get('/metrics')).text()).toContain(
      'portolan_tool_calls_total{tool="vault_search",result="ok"}',
    );
  });
});

describe('the format of activity', () => {
  it.each([
    ['=1+1', '"\'=1+1"\r\n'],
    [' @x', '"\' @x"\r\n'],
    ['-1', '"\'-1"\r\n'],
    ['a "b"', '"a ""b"""\r\n'],
    [-1, '-1\r\n'],
    [null, '""\r\n'],
  ])('writes %j into CSV as %j (ACT-006)', (value, text) => expect(csvOf([[value]])).toBe(text));

  it('uses the days of a time zone, including those of 23 and 25 hours (ACT-005)', () => {
    const hours = (day: string, zone: string) => {
      const bounds = dayIn(day, zone);
      return bounds === null ? null : [(bounds.until - bounds.from) / 3_600_000, new Date(bounds.from).toISOString()];
    };
    expect(hours('2026-03-29', 'Europe/Vienna')).toEqual([23, '2026-03-28T23:00:00.000Z']);
    expect(hours('2026-10-25', 'Europe/Vienna')).toEqual([25, '2026-10-24T22:00:00.000Z']);
    expect(hours('2026-11-22', 'UTC')).toEqual([24, '2026-11-22T00:00:00.000Z']);
    for (const none of ['2026-02-30', '22.11.2026', '']) expect(hours(none, 'UTC')).toBeNull();
    expect(['UTC', 'Europe/Vienna', 'Mars/Phobos', '+01:00', '', '../etc'].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
