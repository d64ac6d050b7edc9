import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let admin: PlainBrowser;

beforeAll(async () => {
  server = await startWholeServer({});
  admin = await server.signedIn();
});

afterAll(() => server[Symbol.asyncDispose]());

type Invited = Readonly<{ id: number; link: string }>;
const send = (method: string, path: string, body?: unknown, browser = admin) =>
  sendJson(server, browser, body === undefined ? [method, path] : [method, path, body]);
const invite = async (email: string, more: object = {}) =>
  (await send('POST', '/api/users', { email, permissions: ['vault'], ...more })).body as Invited;
const pathOf = (link: string) => link.slice(new URL(link).origin.length);

/** Sets a password by a link, as somebody in a fresh browser does. */
async function setPassword(link: string, password: string): Promise<Response> {
  const browser = new PlainBrowser({ origin: server.origin });
  const page = await browser.get(pathOf(link));
  return browser.post('/welcome', { ...hiddenFields(await page.text()), password });
}

async function newcomer(email: string, more: object = {}): Promise<Invited & { browser: PlainBrowser }> {
  const invited = await invite(email, more);
  await setPassword(invited.link, `password of ${email}`);
  return { ...invited, browser: await signedInAt(server.origin, { email, password: `password of ${email}` }) };
}

describe('users', () => {
  it('are invited with a link that works once, and set their own password (USER-010)', async () => {
    const { link, id } = await invite('bob@example.com');
    expect((await new PlainBrowser({ origin: server.origin }).get(pathOf(link))).status).toBe(200);
    expect((await setPassword(link, 'short')).status).toBe(400);
    expect((await setPassword(link, 'a good password')).status).toBe(303);
    expect((await setPassword(link, 'the password of a thief')).status).toBe(404);
    expect((await new PlainBrowser({ origin: server.origin }).get(pathOf(link))).status).toBe(404);
    const bob = await signedInAt(server.origin, { email: 'bob@example.com', password: 'a good password' });
    expect((await bob.get('/page')).status).toBe(200);
    expect((await send('GET', '/api/users')).body).toMatchObject({
      data: [{ id: 1 }, { id, email: 'bob@example.com', permissions: ['vault'], admin: false, active: true }],
    });
    expect(server.log()).not.toContain(new URL(link).searchParams.get('link'));
  });

  it('have unique links, for each user and time (USER-010)', async () => {
    const { link } = await invite('carl@example.com');
    const whole = new URL(link).searchParams.get('link') ?? '';
    const [id = '', until = '', digest = ''] = whole.split('.');
    const wrong = ['', 'x', `1.${until}.${digest}`, `${id}.${Number(until) + 1}.${digest}`, `${whole}x`, `0${whole}`];
    for (const text of wrong) {
      const browser = new PlainBrowser({ origin: server.origin });
      expect((await browser.get(`/welcome?link=${encodeURIComponent(text)}`)).status, text).toBe(404);
    }
  });

  it('are invited with their permissions, on the page and as JSON, and the answer has a link (USER-009)', async () => {
    const invited = await send('POST', '/api/users', { email: 'ines@example.com', permissions: ['vault', 'tracker'] });
    expect(invited).toMatchObject({ status: 201, body: { permissions: ['tracker', 'vault'], state: 'invited' } });
    expect((await setPassword((invited.body as Invited).link, 'a good password')).status).toBe(303);
    const html = await (await admin.get('/users')).text();
    const fields = { ...hiddenFields(html), email: 'joan@example.com', permissions: 'signing' };
    const page = await (await admin.post('/users/invite', fields)).text();
    const [link = ''] = /https?:[^"<\s]+\/welcome\?link=[^"<\s]+/.exec(page) ?? [];
    expect((await setPassword(link, 'a good password')).status).toBe(303);
    const { data } = (await send('GET', '/api/users')).body as { data: { email: string; permissions: string[] }[] };
    expect(data.find(({ email }) => email === 'joan@example.com')?.permissions).toEqual(['signing']);
  });

  it('are not invited twice, or without an address (USER-009)', async () => {
    await invite('dora@example.com');
    expect(await send('POST', '/api/users', { email: 'DORA@example.com' })).toMatchObject({ status: 409 });
    expect(await send('POST', '/api/users', { email: 'nobody' })).toMatchObject({ status: 400 });
    expect(await send('POST', '/api/users', { email: 'e@example.com', isAdmin: true })).toMatchObject({ status: 400 });
  });

  it('are signed out with their apps when they are deactivated, and can return (USER-011)', async () => {
    const { id, browser } = await newcomer('eve@example.com');
    const token = await grantToken(server.origin, browser, { name: 'Eve’s app' });
    const call = () => fetch(`${server.origin}/api/connections`, { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    expect(await send('PATCH', `/api/users/${id}`, { active: false })).toMatchObject({ body: { active: false } });
    expect((await call()).status).toBe(401);
    expect((await browser.get('/page')).status).toBe(401);
    const again = await signedInAt(server.origin, {
      email: 'eve@example.com',
      password: 'password of eve@example.com',
    });
    expect((await again.get('/page')).status).toBe(401);
    await send('PATCH', `/api/users/${id}`, { active: true });
    const back = await signedInAt(server.origin, { email: 'eve@example.com', password: 'password of eve@example.com' });
    expect((await back.get('/page')).status).toBe(200);
    expect((await call()).status).toBe(401);
  });

  it('see which of them they are, and cannot deactivate themselves with a click (USER-014)', async () => {
    const { id } = await invite('olga@example.com');
    const html = await (await admin.get('/users')).text();
    expect(html.match(/\/users\/\d+\/deactivate/g)).toContain(`/users/${id}/deactivate`);
    expect(html).not.toContain('/users/1/deactivate');
    expect(html).toMatch(/admin@localhost<\/bdi> <span class="note">\(you\)</);
  });

  it("always include an administrator, even if two remove each other's role at once (USER-012)", async () => {
    expect(await send('PATCH', '/api/users/1', { admin: false })).toMatchObject({
      status: 409,
      body: { reason: 'last_admin' },
    });
    expect(await send('PATCH', '/api/users/1', { active: false })).toMatchObject({ status: 409 });
    const { id, browser } = await newcomer('fay@example.com', { admin: true });
    const both = await Promise.all([
      send('PATCH', `/api/users/${id}`, { admin: false }),
      send('PATCH', '/api/users/1', { admin: false }, browser),
    ]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const other = both[1]?.status === 200 ? browser : admin;
    await send('PATCH', '/api/users/1', { admin: true }, other);
    await send('PATCH', `/api/users/${id}`, { admin: false });
  });

  it('are managed by administrators in a browser: no other user, no app, no forged form (USER-013)', async () => {
    const { browser } = await newcomer('gil@example.com');
    expect((await browser.get('/users')).status).toBe(403);
    expect((await send('GET', '/api/users', undefined, browser)).status).toBe(403);
    expect((await send('GET', '/api/activity?of=all', undefined, browser)).status).toBe(403);
    expect((await send('PATCH', '/api/users/1', { admin: false }, browser)).status).toBe(403);
    expect((await send('POST', '/api/users', { email: 'x@example.com' }, browser)).status).toBe(403);
    const token = await grantToken(server.origin, admin, { name: 'Whole' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const path of ['/api/users', '/users', '/account']) {
      expect((await fetch(`${server.origin}${path}`, { headers })).status, path).toBe(403);
    }
    expect((await admin.post('/users/invite', { email: 'y@example.com', csrf_token: 'forged' })).status).toBe(403);
    const html = await (await admin.get('/users')).text();
    expect(html).toContain('gil@example.com');
    const invited = await admin.post('/users/invite', { ...hiddenFields(html), email: 'hal@example.com' });
    expect(await invited.text()).toContain('/welcome?link=');
  });
});

describe("the user's own account", () => {
  it('changes the password with the current one, and signs all others out (ACCT-001)', async () => {
    const { browser } = await newcomer('ida@example.com');
    const elsewhere = await signedInAt(server.origin, {
      email: 'ida@example.com',
      password: 'password of ida@example.com',
    });
    const hidden = hiddenFields(await (await browser.get('/account')).text());
    const change = (old: string, password: string) => browser.post('/account/password', { ...hidden, old, password });
    expect((await change('wrong', 'a new password')).status).toBe(400);
    expect((await change('password of ida@example.com', 'short')).status).toBe(400);
    expect((await elsewhere.get('/page')).status).toBe(200);
    expect((await change('password of ida@example.com', 'a new password')).status).toBe(303);
    expect((await elsewhere.get('/page')).status).toBe(401);
    expect((await browser.get('/account?done=password')).status).toBe(200);
  });

  it('signs all others out, and stays signed in (ACCT-002)', async () => {
    const { browser } = await newcomer('jo@example.com');
    const token = await grantToken(server.origin, browser, { name: 'Jo’s app' });
    const hidden = hiddenFields(await (await browser.get('/account')).text());
    expect((await browser.post('/account/sign-out-others', { csrf_token: 'forged' })).status).toBe(403);
    expect((await browser.post('/account/sign-out-others', hidden)).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    const call = await fetch(`${server.origin}/message`, { headers: { authorization: `Bearer ${token}` } });
    expect(call.status).toBe(401);
  });

  it('stores a name, in one line and not too long, which is text on every page (ACCT-020)', async () => {
    const { browser, id } = await newcomer('nia@example.com');
    const hidden = hiddenFields(await (await browser.get('/account')).text());
    const name = '  <b>Nia</b>\r\n O’Neill 🧭  ';
    expect((await browser.post('/account/name', { ...hidden, name })).headers.get('location')).toBe(
      '/account?done=name',
    );
    expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { name: '<b>Nia</b>  O’Neill 🧭' } });
    expect(await (await admin.get('/users?search=o’neill')).text()).toContain('&lt;b&gt;Nia&lt;/b&gt;');
    await browser.post('/account/name', { ...hidden, name: 'x'.repeat(101) });
    expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { name: 'x'.repeat(100) } });
    await browser.post('/account/name', { ...hidden, name: ' ' });
    expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { name: null } });
  });

  it('is helped by an administrator after a forgotten password, as the sign-in page says (USER-032)', async () => {
    const page = await (await new PlainBrowser({ origin: server.origin }).get('/login')).text();
    expect(page).toContain('Forgotten your password? An administrator of this server');
  });

  it('shows times in a valid time zone (ACCT-003)', async () => {
    const { browser } = await newcomer('kim@example.com');
    await grantToken(server.origin, browser, { name: 'Kim’s app' });
    const hidden = hiddenFields(await (await browser.get('/account')).text());
    const keep = (zone: string) => browser.post('/account/time-zone', { ...hidden, zone });
    expect(await (await browser.get('/apps')).text()).toMatch(/>\d{4}-\d\d-\d\d \d\d:\d\d UTC</);
    expect((await keep('Mars/Phobos')).status).toBe(400);
    expect((await keep('Asia/Tokyo')).status).toBe(303);
    const html = await (await browser.get('/apps')).text();
    expect(html).toMatch(/title="[\d-]+ \d\d:\d\d:\d\d Asia\/Tokyo">\d{4}-\d\d-\d\d \d\d:\d\d</);
    expect(await (await browser.get('/account')).text()).toContain('<option selected>Asia/Tokyo');
  });

  it('is shown apart from the window that opened it', async () => {
    const { browser } = await newcomer('mo@example.com');
    const { headers } = await browser.get('/account');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('takes the zone of the browser until one is chosen, and UTC is a choice (ACCT-004)', async () => {
    const { browser } = await newcomer('lee@example.com');
    const hidden = hiddenFields(await (await browser.get('/account')).text());
    const keep = (zone: string, more = {}) => browser.post('/account/time-zone', { ...hidden, ...more, zone });
    const isAsked = async () => (await (await browser.get('/page')).text()).includes('data-zone="unset"');
    const shown = async () =>
      />([^<]+)</.exec((await (await browser.get('/account')).text()).split('selected')[1] ?? '');
    expect(await isAsked()).toBe(true);
    expect((await keep('Mars/Phobos', { suggested: '1' })).status).toBe(400);
    expect((await keep('Asia/Calcutta', { suggested: '1' })).status).toBe(303);
    expect([await isAsked(), (await shown())?.[1]]).toEqual([false, 'Asia/Calcutta']);
    expect((await keep('Asia/Tokyo', { suggested: '1' })).status).toBe(303);
    expect((await shown())?.[1]).toBe('Asia/Calcutta');
    await keep('UTC');
    await keep('Asia/Tokyo', { suggested: '1' });
    expect([await isAsked(), (await shown())?.[1]]).toEqual([false, 'UTC']);
  });
});

describe('a server without an identity provider', () => {
  it('answers the address of single sign-on with a 404 page that leads to the sign-in (OIDC-001)', async () => {
    for (const path of ['/login/oidc', '/login/oidc/callback']) {
      const answer = await new PlainBrowser({ origin: server.origin }).get(path);
      const html = await answer.text();
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
      expect(html).toContain('There is no single sign-on here');
      expect(html).toContain('href="/login"');
    }
    expect(await (await new PlainBrowser({ origin: server.origin }).get('/login')).text()).not.toContain('/login/oidc');
  });
});
