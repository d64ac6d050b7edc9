import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryPendingSignIns } from '#adapters/memory/memory-pending-sign-ins.ts';
import type { PendingSignIn } from '#application/ports/pending-sign-ins.ts';
import { volatile } from '#bootstrap/stores/transient-stores.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, exchange, registered } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openOidcServer, signInBy, throughProvider } from '#test/support/oidc/oidc-server.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

type OidcServer = Awaited<ReturnType<typeof openOidcServer>>;

const usersSchema = z.object({
  data: z.array(
    z.object({
      id: z.number(),
      email: z.string(),
      permissions: z.array(z.string()),
      admin: z.boolean(),
      active: z.boolean(),
    }),
  ),
});

const auditSchema = z.object({ data: z.array(z.object({ action: z.string(), user_id: z.number().nullable() })) });

/** A person with a verified e-mail of the server's domain. */
const person = (name: string, more: Readonly<{ groups?: readonly string[]; email?: string }> = {}) => ({
  sub: name,
  email: `${name}@example.com`,
  email_verified: true,
  ...more,
});

/** How long ago the next sign-ins are said to have begun, in ms. */
let agedMs = 0;
const pendingSignIns = Object.assign(new MemoryPendingSignIns(), volatile);
const keep = pendingSignIns.keep.bind(pendingSignIns);
pendingSignIns.keep = (state: string, signIn: PendingSignIn) =>
  keep(state, { ...signIn, startedAt: signIn.startedAt - agedMs });

let server: OidcServer;
let administrator: PlainBrowser;
beforeAll(async () => {
  const env = {
    OIDC_DOMAINS: 'example.com, example.org',
    OIDC_RIGHTS: 'crm-team=sales_crm,signing;cn=notes,ou=all=vault;admins=administrator',
    ADMIN_EMAIL: ada.email,
  };
  server = await openOidcServer(env, { pendingSignIns });
  administrator = await signedInAt(server.origin, ada);
});
afterAll(() => server?.[Symbol.asyncDispose]());

const users = async () => usersSchema.parse((await sendJson(server, administrator, ['GET', '/api/users'])).body).data;
const userOf = async (email: string) => (await users()).find((user) => user.email === email);
const invite = (email: string, more: object = {}) =>
  sendJson(server, administrator, ['POST', '/api/users', { email, ...more }]);
const signIn = (account: Parameters<OidcServer['provider']['signsIn']>[0], browser = new PlainBrowser(server)) => {
  server.provider.signsIn(account);
  return signInBy(server.provider, browser);
};
const isSignedIn = async (browser: PlainBrowser) => (await browser.get('/account')).status === 200;

describe('signing in by a real OpenID provider', () => {
  it('takes in somebody of the domains, by code with PKCE, state and nonce (OIDC-001, OIDC-002, OIDC-010)', async () => {
    const browser = new PlainBrowser(server);
    const answer = await signIn(person('grace'), browser);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/floki/index');
    expect(answer.headers.get('set-cookie')).toMatch(
      /user=[^;]+; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Lax/,
    );
    expect(await isSignedIn(browser)).toBe(true);
    expect(await userOf('grace@example.com')).toMatchObject({ permissions: [], admin: false });
    const asked = server.provider.asked();
    expect(asked.get('response_type')).toBe('code');
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
  });

  it('knows a person by issuer and subject, whatever their e-mail becomes (OIDC-006)', async () => {
    await signIn(person('hedy'));
    const { id } = (await userOf('hedy@example.com')) ?? { id: 0 };
    const browser = new PlainBrowser(server);
    expect((await signIn(person('hedy', { email: 'hedy.k@elsewhere.net' }), browser)).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await userOf('hedy@example.com'))?.id).toBe(id);
    expect(await userOf('hedy.k@elsewhere.net')).toBeUndefined();
  });

  it('lets nobody in of another domain, whatever their groups (OIDC-010, OIDC-015)', async () => {
    const browser = new PlainBrowser(server);
    const answer = await signIn(
      person('mallory', { email: 'mallory@evil.com', groups: ['admins', 'crm-team'] }),
      browser,
    );
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(`Your account is not invited</h1>`);
    expect(await isSignedIn(browser)).toBe(false);
    for (const email of ['m@sub.example.com', 'm@example.com.evil.com', 'm@notexample.com']) {
      expect((await signIn({ ...person('mallory'), email })).status).toBe(403);
      expect(await userOf(email)).toBeUndefined();
    }
  });

  it('says whom to ask (OIDC-015)', async () => {
    const page = await (await signIn(person('stranger', { email: 'stranger@evil.com' }))).text();
    expect(page).toContain(`Ask ${ada.email}`);
    expect(page).toContain('You signed in as stranger@evil.com');
  });

  it('lets nobody in by an e-mail that is not verified (OIDC-007)', async () => {
    await invite('unverified@example.com');
    for (const email_verified of [false, undefined]) {
      const account = {
        sub: 'unverified',
        email: 'unverified@example.com',
        ...(email_verified === undefined ? {} : { email_verified }),
      };
      const answer = await signIn(account);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('Your e-mail is not verified');
    }
    expect((await signIn({ sub: 'no e-mail' })).status).toBe(403);
  });

  it('accepts an invitation by its verified e-mail, of any domain, with its rights (OIDC-007)', async () => {
    await invite('Lise@Partner.net', { permissions: ['tracker'] });
    const browser = new PlainBrowser(server);
    expect((await signIn(person('lise', { email: 'lise@partner.net' }), browser)).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await userOf('Lise@Partner.net'))?.permissions).toEqual(['tracker']);
  });

  it('accepts an invitation once: another person with its e-mail does not get in (OIDC-008)', async () => {
    await invite('shared@partner.net');
    expect((await signIn(person('first', { email: 'shared@partner.net' }))).status).toBe(303);
    const answer = await signIn(person('second', { email: 'shared@partner.net' }));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('There is an account with this e-mail already');
  });

  it('lets two people with one e-mail at the same time accept one invitation once (OIDC-008)', async () => {
    await invite('twins@partner.net');
    const begin = async (sub: string) => {
      const browser = new PlainBrowser(server);
      server.provider.signsIn(person(sub, { email: 'twins@partner.net' }));
      const begun = await browser.get('/login/oidc');
      const path = await throughProvider(begun.headers.get('location') ?? '', server.provider);
      return () => browser.get(path);
    };
    const [one, other] = [await begin('twin-1'), await begin('twin-2')];
    const statuses = (await Promise.all([one(), other()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });

  it('opens no account that has a password by its e-mail alone, and no administrator’s (OIDC-008)', async () => {
    const browser = new PlainBrowser(server);
    const answer = await signIn({ sub: 'not-ada', email: ada.email.toUpperCase(), email_verified: true }, browser);
    expect(answer.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
    await invite('boss@example.com', { admin: true });
    expect((await signIn(person('boss'))).status).toBe(403);
  });

  it('sets the rights that groups give at each sign-in, and leaves the others (OIDC-013)', async () => {
    await invite('rita@example.com', { permissions: ['tracker', 'sales_crm'] });
    const rights = async (groups: readonly string[]) => {
      await signIn(person('rita', { groups }));
      const { permissions, admin } = (await userOf('rita@example.com')) ?? {};
      return { permissions, admin };
    };
    const notes = 'cn=notes,ou=all';
    expect(await rights(['crm-team'])).toEqual({ permissions: ['sales_crm', 'signing', 'tracker'], admin: false });
    expect(await rights([notes, 'admins'])).toEqual({ permissions: ['tracker', 'vault'], admin: true });
    expect(await rights(['Crm-Team'])).toEqual({ permissions: ['tracker'], admin: false });
    expect(await rights([])).toEqual({ permissions: ['tracker'], admin: false });
  });

  it('keeps deactivated people out, and does not make them again (OIDC-009)', async () => {
    const browser = new PlainBrowser(server);
    await signIn(person('leaver'), browser);
    const { id } = (await userOf('leaver@example.com')) ?? { id: 0 };
    await sendJson(server, administrator, ['PATCH', `/api/users/${id}`, { active: false }]);
    const answer = await signIn(person('leaver'));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Your account is deactivated');
    expect((await signIn(person('leaver-2', { email: 'leaver@example.com' }))).status).toBe(403);
    expect((await users()).filter(({ email }) => email === 'leaver@example.com')).toHaveLength(1);
  });

  it('keeps deleted people out until they are invited again (OIDC-009)', async () => {
    await signIn(person('gone'));
    const { id } = (await userOf('gone@example.com')) ?? { id: 0 };
    expect((await sendJson(server, administrator, ['DELETE', `/api/users/${id}`])).status).toBeLessThan(300);
    const answer = await signIn(person('gone'));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Your account was deleted');
    expect(await userOf('gone@example.com')).toBeUndefined();
    await invite('gone@example.com', { permissions: ['vault'] });
    expect((await signIn(person('gone'))).status).toBe(303);
  });

  it('is in the audit log, with who was taken in and what was linked (OIDC-019)', async () => {
    await signIn(person('audited'));
    const { id } = (await userOf('audited@example.com')) ?? { id: 0 };
    const { body } = await sendJson(server, administrator, ['GET', '/api/audit']);
    const acts = auditSchema.parse(body).data.filter(({ user_id: userId }) => userId === id);
    expect(acts.map(({ action }) => action)).toEqual(['user.signed_in_by_oidc', 'user.linked', 'user.invited']);
  });

  it('goes on with the authorization of an app, which the server kept (OIDC-003, OIDC-005)', async () => {
    const client = await registered(server);
    const browser = new PlainBrowser(server);
    const page = await browser.get(
      authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 'of the app' }),
    );
    const [, href = ''] = /<a class="button" href="([^"]*)"/.exec(await page.text()) ?? [];
    server.provider.signsIn(person('grace'));
    const back = await signInBy(server.provider, browser, href.replaceAll('&amp;', '&'));
    expect(server.provider.asked().toString()).not.toContain(client.client_id);
    const consent = await browser.get(back.headers.get('location') ?? '');
    const html = await consent.text();
    expect(html).toContain('grace@example.com');
    const decided = await browser.post('/authorize', { ...hiddenFields(html), decision: 'allow' });
    const target = new URL(decided.headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe(callback);
    expect(target.searchParams.get('state')).toBe('of the app');
    const code = target.searchParams.get('code') ?? '';
    expect((await exchange(server, { code, client_id: client.client_id })).status).toBe(200);
  });

  it('brings an administrator back to the page of a provider that asked to sign in again (PSET-005)', async () => {
    const browser = new PlainBrowser(server);
    const way = (setup: string) => `/login/oidc?prompt=login&setup=${setup}&vendor=neutral`;
    const back = async (setup: string) => {
      server.provider.signsIn(person('root', { groups: ['admins'] }));
      return (await signInBy(server.provider, browser, way(setup))).headers.get('location');
    };
    expect(await back('sales_crm')).toBe('/setup/sales_crm?vendor=neutral#enter');
    expect(server.provider.asked().get('prompt')).toBe('login');
    const page = await (await browser.get('/setup/sales_crm?vendor=neutral')).text();
    expect(page).toContain('name="client_secret"');
    for (const elsewhere of ['//evil.example', '..%2F', 'https:%2F%2Fevil.example']) {
      expect(await back(elsewhere)).toMatch(/^\/authorize\?/);
    }
  });

  it('takes a state once, and in the browser that began only (OIDC-004)', async () => {
    server.provider.signsIn(person('grace'));
    const [own, other] = [new PlainBrowser(server), new PlainBrowser(server)];
    await other.get('/login');
    const begun = await own.get('/login/oidc');
    const path = await throughProvider(begun.headers.get('location') ?? '', server.provider);
    expect((await other.get(path)).status).toBe(400);
    expect(await isSignedIn(other)).toBe(false);
    // It is used up.
    expect((await own.get(path)).status).toBe(400);
    const again = await throughProvider((await own.get('/login/oidc')).headers.get('location') ?? '', server.provider);
    expect((await own.get(again)).status).toBe(303);
    expect((await own.get(again)).status).toBe(400);
  });

  it('takes a state within ten minutes, and not later (OIDC-004)', async () => {
    server.provider.signsIn(person('grace'));
    const statusAfter = async (ms: number) => {
      agedMs = ms;
      const answer = await signInBy(server.provider, new PlainBrowser(server));
      agedMs = 0;
      return answer.status;
    };
    expect([await statusAfter(9 * 60_000), await statusAfter(10 * 60_000 + 1)]).toEqual([303, 400]);
  });

  it('lives on while the provider rotates its keys (OIDC-012)', async () => {
    expect((await signIn(person('grace'))).status).toBe(303);
    await server.provider.rotateKeys();
    expect((await signIn(person('grace'))).status).toBe(303);
  });

  it('shows the way on the sign-in page, beside passwords (OIDC-001)', async () => {
    const html = await (await new PlainBrowser(server).get('/login')).text();
    expect(html).toContain('href="/login/oidc"');
    expect(html).toContain('name="password"');
  });
});

describe('linking a sign-in to an account', () => {
  /** Links by the form of /account; what the browser gets that comes back. */
  const link = async (browser: PlainBrowser) => {
    const fields = hiddenFields(await (await browser.get('/account')).text());
    const sent = await browser.post('/account/link', { csrf_token: fields['csrf_token'] ?? '' });
    const target = (sent.headers.get('refresh') ?? '').replace('0; url=', '');
    return browser.get(await throughProvider(target, server.provider));
  };
  const unlink = async (browser: PlainBrowser) => {
    const fields = hiddenFields(await (await browser.get('/account')).text());
    const answer = await browser.post('/account/unlink', {
      csrf_token: fields['csrf_token'] ?? '',
      identity: fields['identity'] ?? '',
    });
    return answer.headers.get('location');
  };

  it('lets an administrator link theirs, sign in by it, and unlink it, but not the last way in (ACCT-005, ACCT-006)', async () => {
    const browser = await signedInAt(server.origin, ada);
    server.provider.signsIn(person('ada-at-work', { email: 'ada@work.net' }));
    expect((await link(browser)).headers.get('location')).toBe('/account?done=linked');
    expect(await (await browser.get('/account')).text()).toContain('ada@work.net');
    const other = new PlainBrowser(server);
    await signIn(person('ada-at-work', { email: 'ada@work.net', groups: ['admins'] }), other);
    expect(await (await other.get('/account')).text()).toContain(ada.email);
    // A session of the identity does not show that there is a password.
    expect(await unlink(other)).toBe('/account?done=last-way-in');
    expect(await unlink(browser)).toBe('/account?done=unlinked');
    expect((await signIn(person('ada-at-work', { email: 'ada@work.net' }))).status).toBe(403);
  });

  it('links no identity of another account (ACCT-005)', async () => {
    await signIn(person('taken'));
    server.provider.signsIn(person('taken'));
    const answer = await link(await signedInAt(server.origin, ada));
    expect(answer.status).toBe(409);
  });

  it('is finished in the session that began it only (ACCT-005)', async () => {
    const browser = await signedInAt(server.origin, ada);
    server.provider.signsIn(person('other-session'));
    const fields = hiddenFields(await (await browser.get('/account')).text());
    const sent = await browser.post('/account/link', { csrf_token: fields['csrf_token'] ?? '' });
    const target = (sent.headers.get('refresh') ?? '').replace('0; url=', '');
    const path = await throughProvider(target, server.provider);
    browser.cookies.delete('user');
    expect((await browser.get(path)).status).toBe(400);
    expect((await browser.post('/account/link', {})).status).toBe(401);
  });

  it('needs a form of this server (ACCT-005)', async () => {
    const browser = await signedInAt(server.origin, ada);
    expect((await browser.post('/account/link', {})).status).toBe(403);
    expect((await browser.post('/account/unlink', { identity: 'x' })).status).toBe(403);
  });
});
