import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserChange } from '#application/ports/users.ts';
import { banner } from '#bootstrap/banner.ts';
import { authorizePath } from '#test/support/authorization/auth-flow.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { formOf, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const adminEmail = 'grace@example.com';
/** How a request departs from a plain GET. */
type Sent = Readonly<{ method?: string; headers?: Readonly<Record<string, string>> }>;

let server: WholeServer;
let admin: PlainBrowser;

const inBrowser = (path: string, init: Sent = {}) =>
  fetch(`${server.origin}${path}`, { redirect: 'manual', ...init, headers: { accept: 'text/html', ...init.headers } });
const cookieOf = (browser: PlainBrowser) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const asAdmin = (path: string, init: Sent = {}) =>
  inBrowser(path, { ...init, headers: { cookie: cookieOf(admin), ...init.headers } });

beforeAll(async () => {
  const env = { SIGNING_URL: 'http://127.0.0.1:9', WEBHOOK_REGISTRATION: 'off', TRACKER_URL: 'http://127.0.0.1:9' };
  server = await startWholeServer(env);
  admin = await server.signedIn();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Changes the first user as another process does, until the server has seen it. */
async function becomes(change: UserChange, seen: RegExp): Promise<void> {
  await withStored(server.dataDir, ({ users }) => users.change(1, change));
  await expect.poll(async () => (await asAdmin('/floki/index')).text(), { timeout: 60_000 }).toMatch(seen);
}

describe('the root address', () => {
  it('leads to sign-in, or home (PAGE-005)', async () => {
    const out = await inBrowser('/');
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
    const home = await asAdmin('/');
    expect([home.status, home.headers.get('location')]).toEqual([303, '/floki/index']);
  });

  it('leads to sign-in with an expired session', async () => {
    const out = await inBrowser('/', { headers: { cookie: 'user=broken' } });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
  });

  it.each(['GET', 'POST'])('answers 401 to anonymous programs, %s', async (method) => {
    const answer = await fetch(`${server.origin}/`, { method, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await answer.json()).toMatchObject({ error: 'unauthorized' });
  });
});

describe('every final page', () => {
  it.each([
    ['401', '/page', {}, 401],
    ['404', '/nothing', { admin: true }, 404],
    ['405', '/page', { admin: true, method: 'DELETE' }, 405],
    ['400', '/authorize', {}, 400],
  ] as const)('has a link to continue, and the brand leads home: %s (PAGE-004)', async (_, path, options, status) => {
    const init = { method: 'method' in options ? options.method : 'GET' };
    const answer = 'admin' in options ? await asAdmin(path, init) : await inBrowser(path, init);
    expect(answer.status).toBe(status);
    const html = await answer.text();
    expect(html).toMatch(/<a class="brand" href="\/">/);
    expect(html.split('<main')[1]).toMatch(/<a class="button" href="\/(login)?">/);
  });

  it('is JSON for programs', async () => {
    expect(await sendJson(server, admin, ['GET', '/nothing'])).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });
});

describe('the page about an unknown app', () => {
  it('shows what to do in each app, with commands to copy', async () => {
    const answer = await inBrowser(
      authorizePath({ client_id: 'client_forgotten', redirect_uri: 'http://127.0.0.1:1/x' }),
    );
    expect(answer.status).toBe(400);
    const html = await answer.text();
    for (const command of [
      'claude mcp logout portolan',
      'claude mcp login portolan',
      'codex mcp logout portolan',
      'codex mcp login portolan',
      'opencode mcp logout portolan',
      'Authentication: Remove Dynamic Authentication Providers',
      '/message',
    ]) {
      expect(html).toMatch(new RegExp(`<div class="copy"><pre tabindex="0"><code>[^<]*${command}</code>`));
    }
    for (const app of ['Claude Code', 'Codex', 'Cursor', 'VS Code'])
      expect(html).toContain(`<summary>${app}</summary>`);
    expect(html).not.toContain('registers again');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(html).not.toMatch(/<script>|javascript:/);
  });

  it('has no script, like the pages for passwords and consent', async () => {
    const answer = await inBrowser('/login');
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
    expect(await answer.text()).not.toContain('<script');
  });
});

describe('the navigation', () => {
  const linksOf = (html: string) =>
    [...(/<nav.*?<\/nav>/s.exec(html)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

  it('leads to existing pages, and marks the current one (PAGE-012)', async () => {
    const html = await (await asAdmin('/page')).text();
    const links = linksOf(html);
    expect(links).toEqual(expect.arrayContaining(['/floki/index', '/page', '/deliveries', '/logout']));
    for (const path of links) expect([path, (await asAdmin(path ?? '')).status]).toEqual([path, 200]);
    expect(html.match(/<a href="[^"]*" aria-current="page">/g)).toEqual(['<a href="/page" aria-current="page">']);
  });

  it('is shown on error pages, and not to anonymous visitors', async () => {
    expect(linksOf(await (await asAdmin('/nothing')).text())).toContain('/floki/index');
    expect(linksOf(await (await inBrowser('/page')).text())).toEqual([]);
  });

  it('shows a guest only what a guest can open', async () => {
    const [cookie = ''] = (await inBrowser('/set')).headers.getSetCookie();
    const html = await (await inBrowser('/floki/index', { headers: { cookie: cookie.split(';')[0] ?? '' } })).text();
    expect(linksOf(html)).toEqual(['/floki/index', '/page', '/login']);
  });
});

describe('home and the banner', () => {
  const commands = ['claude mcp login portolan', 'codex mcp login portolan', 'codex mcp add portolan --url'];

  it('show the commands of the apps, and on the home page the remedy for those that need metadata', async () => {
    const html = await (await asAdmin('/floki/index')).text();
    const facts = { version: '0', baseUrl: 'http://localhost:3000', host: '127.0.0.1', port: 3000, notes: '/n' };
    const text = banner({ ...facts, takesPasswords: true, adminEmail, firstPassword: null });
    for (const command of commands) {
      expect(html).toContain(command);
      expect(text).toContain(command);
    }
    expect(html).toMatch(/RFC 9728.*OAUTH_METADATA=on/s);
  });

  it('do not mention metadata if it is served', async () => {
    await using open = await startWholeServer({ OAUTH_METADATA: 'on' });
    expect(await (await (await open.signedIn()).get('/floki/index')).text()).not.toContain('OAUTH_METADATA');
  });
});

describe('the page of connections', () => {
  const connect = (service: string, method: string) =>
    sendJson(server, admin, ['POST', '/save', { service, auth_method: method, access_token: 'a-key' }]);

  it('shows administrators the real address of webhooks that are created by hand, and where the secret is set', async () => {
    expect((await connect('signing', 'api_key')).status).toBe(200);
    expect((await connect('tracker', 'personal_token')).status).toBe(200);
    const html = await (await asAdmin('/page')).text();
    expect(html).not.toMatch(/\{[a-z_ ]+\}/i);
    expect(html).toMatch(/<code>http:\/\/localhost:\d+\/webhooks\/signing<\/code>/);
    expect(html).toMatch(/<code>http:\/\/localhost:\d+\/webhooks\/tracker<\/code>/);
    expect(html).toContain('SIGNING_WEBHOOK_KEY');
    expect(html).toContain('TRACKER_WEBHOOK_SECRET');
    expect(() => formOf(html, '/disconnect', 'signing')).not.toThrow();
  });

  it('does not show settings to others', async () => {
    await becomes({ isAdmin: false }, /^(?!.*Deliveries).*Connect a service/s);
    expect(await (await asAdmin('/page')).text()).not.toContain('WEBHOOK');
    await becomes({ isAdmin: true }, /Deliveries/);
  });
});

describe('a user without a permission', () => {
  it('reads one sentence that says whom to ask, and no instructions', async () => {
    await becomes({ isAdmin: false, permissions: [] }, /no permission for any service yet\. Ask an administrator/);
    const home = await (await asAdmin('/floki/index')).text();
    expect(home).not.toContain('Connect an assistant');
    expect(home).not.toContain('@localhost,');
    const page = await (await asAdmin('/page')).text();
    expect(page.match(/You have no permission for any service yet/g)).toHaveLength(1);
    // What was connected before can still be disconnected.
    expect(page.match(/<li id=/g)).toHaveLength(2);
  });

  it('sees the address of an administrator who can receive mail', async () => {
    const grace = { email: adminEmail, passwordHash: 'none', permissions: [], isAdmin: true };
    await withStored(server.dataDir, ({ users }) => users.add(grace));
    expect(await (await asAdmin('/floki/index')).text()).toContain(
      `Ask an administrator of this server, ${adminEmail}.`,
    );
  });
});
