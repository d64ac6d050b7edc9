import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ada } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openOidcServer, signInBy } from '#test/support/oidc/oidc-server.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

let server: Awaited<ReturnType<typeof openOidcServer>>;
beforeAll(async () => {
  server = await openOidcServer({ PASSWORDS: 'off', OIDC_RIGHTS: 'team=vault;admins=administrator' });
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe('a server that takes no passwords', () => {
  it('shows no password form, and takes none (OIDC-017)', async () => {
    const browser = new PlainBrowser(server);
    const client = await registered(server);
    const authorize = authorizePath({ client_id: client.client_id, redirect_uri: callback });
    for (const [path, action] of [
      ['/login', '/login'],
      [authorize, '/authorize'],
    ] as const) {
      const html = await (await browser.get(path)).text();
      expect(html).toContain('Sign in with single sign-on');
      expect(html).not.toContain('name="password"');
      const answer = await browser.post(action, { ...hiddenFields(html), ...authorizeFields(authorize), ...ada });
      // For this reason, and not for the token that the page without a form does not have.
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('takes no passwords')]);
      expect(browser.cookies.has('user')).toBe(false);
    }
  });

  it('takes in members of the groups, and nobody else, where no domains are set (OIDC-010)', async () => {
    const [member, other] = [new PlainBrowser(server), new PlainBrowser(server)];
    server.provider.signsIn({ sub: 'm', email: 'm@anywhere.net', email_verified: true, groups: ['team'] });
    expect((await signInBy(server.provider, member)).status).toBe(303);
    server.provider.signsIn({ sub: 'o', email: 'o@anywhere.net', email_verified: true, groups: ['others'] });
    expect((await signInBy(server.provider, other)).status).toBe(403);
    expect((await member.get('/account')).status).toBe(200);
  });

  it('changes no password, and shows no form for it (OIDC-017)', async () => {
    const html = await (await (await administrator()).get('/account')).text();
    expect(html).not.toContain('action="/account/password"');
    const browser = await administrator();
    const fields = hiddenFields(await (await browser.get('/account')).text());
    const answer = await browser.post('/account/password', {
      csrf_token: fields['csrf_token'] ?? '',
      old: ada.password,
      password: 'another password',
    });
    expect(answer.status).toBe(403);
  });

  it('lets a link of an administrator sign in once, without a password (OIDC-018)', async () => {
    const invited = await sendJson(server, await administrator(), ['POST', '/api/users', { email: 'new@partner.net' }]);
    const { link } = z.object({ link: z.string() }).parse(invited.body);
    const path = link.slice(new URL(link).origin.length);
    const [browser, other] = [new PlainBrowser(server), new PlainBrowser(server)];
    const page = await (await browser.get(path)).text();
    expect(page).not.toContain('name="password"');
    const fields = hiddenFields(page);
    const late = hiddenFields(await (await other.get(path)).text());
    expect((await browser.post('/welcome', fields)).headers.get('location')).toBe('/floki/index');
    expect(await (await browser.get('/account')).text()).toContain('new@partner.net');
    expect((await other.post('/welcome', late)).status).toBe(404);
    expect((await other.get(path)).status).toBe(404);
    // An e-mail alone opens the account no more.
    server.provider.signsIn({ sub: 'n', email: 'new@partner.net', email_verified: true, groups: ['team'] });
    expect((await signInBy(server.provider, other)).status).toBe(403);
  });

  it('takes the role of administrator from the groups, but not from the last one (OIDC-013)', async () => {
    const browser = await administrator();
    const listed = await sendJson(server, browser, ['GET', '/api/users']);
    const own = rightsSchema.parse(listed.body).data.find(({ email }) => email === boss.email);
    expect(own).toEqual({ email: boss.email, permissions: [], admin: true });
    await sendJson(server, browser, ['PATCH', '/api/users/1', { admin: false }]);
    server.provider.signsIn({ ...boss, groups: [] });
    await signInBy(server.provider, browser);
    expect((await browser.get('/users')).status).toBe(200);
    expect(JSON.stringify(server.lines)).toContain('last_admin');
  });
});

const rightsSchema = z.object({
  data: z.array(z.object({ email: z.string(), permissions: z.array(z.string()), admin: z.boolean() })),
});

const boss = { sub: 'boss', email: 'boss@work.net', email_verified: true, groups: ['admins'] };

/** A browser in which an administrator by group has signed in. */
async function administrator(): Promise<PlainBrowser> {
  const browser = new PlainBrowser(server);
  server.provider.signsIn(boss);
  await signInBy(server.provider, browser);
  return browser;
}

/** The parameters of an authorization request, as its page carries them on. */
function authorizeFields(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(path, 'http://x').searchParams);
}
