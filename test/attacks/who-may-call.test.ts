import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeTableOf } from '#test/architecture/route-table.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';

// Every route of the server is called by everybody who may come, and answered as it is written here by hand.

const forAnybody = [
  'GET /healthz',
  'GET /readyz',
  'GET /set',
  'GET /welcome',
  'POST /welcome',
  'POST /register',
  'POST /token',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/message',
  'GET /.well-known/oauth-protected-resource/sse',
  'GET /.well-known/*path',
  'POST /.well-known/*path',
  'PUT /.well-known/*path',
  'PATCH /.well-known/*path',
  'DELETE /.well-known/*path',
  'GET /connect/:service/client',
  'DELETE /connect/:service/callback',
  'POST /webhooks/:service',
  'GET /authorize',
  'POST /authorize',
  'GET /login',
  'POST /login',
  'GET /login/oidc',
  'GET /login/oidc/callback',
  'GET /logout',
  'POST /logout',
  'GET /metrics',
];
const forPersons = [
  'GET /account',
  'POST /account/e-mails',
  'POST /account/link',
  'POST /account/name',
  'POST /account/password',
  'POST /account/sessions/end-others',
  'POST /account/sessions/:id/end',
  'GET /api/account/sessions',
  'DELETE /api/account/sessions/:id',
  'POST /account/tokens',
  'POST /account/tokens/:id/revoke',
  'GET /api/account/tokens',
  'POST /api/account/tokens',
  'DELETE /api/account/tokens/:id',
  'POST /account/sign-out-others',
  'POST /account/time-zone',
  'POST /account/unlink',
  'GET /activity',
  'GET /activity/change',
  'POST /activity/change',
  'POST /api/activity/:id/undo',
  'GET /activity/note',
  'GET /apps',
  'GET /apps/:id',
  'POST /apps/:id/access',
  'POST /apps/:id/tools',
  'POST /apps/:id/revoke',
  'POST /apps/:id/ask',
  'POST /apps/:id/always',
  'GET /api/apps',
  'PATCH /api/apps/:id',
  'DELETE /api/apps/:id',
  'GET /approvals',
  'GET /approvals/decided',
  'GET /approvals/:id',
  'POST /approvals/:id',
  'GET /api/approvals',
  'GET /api/approvals/:id',
  'POST /api/approvals/:id',
  'GET /api/switches',
  'PUT /api/switches',
  'GET /tools/:service',
  'POST /tools/:service',
  'GET /connect/:service',
  'GET /connect/:service/callback',
  'POST /disconnect',
];
const forAdministrators = [
  'GET /activity.csv',
  'GET /audit',
  'GET /audit.csv',
  'GET /api/audit',
  'GET /users',
  'POST /users/invite',
  'POST /users/:id/rights',
  'POST /users/:id/deactivate',
  'POST /users/:id/activate',
  'POST /users/:id/link',
  'GET /api/users',
  'POST /api/users',
  'PATCH /api/users/:id',
  'GET /api/users/:id',
  'DELETE /api/users/:id',
  'DELETE /api/users/:id/apps/:app',
  'DELETE /api/users/:id/connections/:service',
  'POST /users/defaults',
  'POST /users/several',
  'GET /users/:id',
  'POST /users/:id/name',
  'GET /users/:id/deactivate',
  'GET /users/:id/delete',
  'POST /users/:id/delete',
  'POST /users/:id/disconnect',
  'POST /users/:id/revoke-app',
  'GET /setup/servers',
  'POST /setup/servers/add',
  'POST /setup/servers/sign-in',
  'GET /setup/servers/:service',
  'POST /setup/servers/:service/look',
  'POST /setup/servers/:service/tools',
  'POST /setup/servers/:service/client',
  'POST /setup/servers/:service/remove',
  'GET /api/servers',
  'POST /api/servers',
  'GET /api/servers/:service',
  'DELETE /api/servers/:service',
  'POST /api/servers/:service/look',
  'PUT /api/servers/:service/tools',
  'PUT /api/servers/:service/client',
  'GET /setup',
  'GET /setup/:service',
  'POST /setup/:service/check',
  'POST /setup/:service/settings',
  'POST /setup/:service/settings/remove',
  'POST /setup/:service/sign-in',
  'GET /api/setup/:service',
  'PUT /api/setup/:service',
  'DELETE /api/setup/:service',
  'POST /setup/approvals',
  'GET /api/approval-floor',
  'PUT /api/approval-floor',
  'GET /deliveries',
  'GET /deliveries/senders',
  'GET /deliveries/:seq',
  'POST /deliveries/:seq/dry-run',
  'POST /deliveries/:seq/replay',
  'POST /deliveries/:seq/skip',
  'POST /deliveries/dry-run',
  'POST /deliveries/replay',
  'POST /deliveries/replay-failed',
  'GET /reactions',
  'GET /reactions/one',
  'POST /reactions/decide',
  'POST /reactions/switches',
  'POST /reactions/try',
  'POST /reactions/withdraw',
];
const forFullAccess = [
  'GET /floki/index',
  'GET /page',
  'POST /save',
  'POST /connections/:service/test',
  'GET /api/activity',
  'GET /api/attention',
];
const forApps = [
  'GET /',
  'POST /',
  'DELETE /',
  'GET /mcp',
  'POST /mcp',
  'DELETE /mcp',
  'GET /message',
  'POST /message',
  'DELETE /message',
  'GET /sse',
  'POST /sse',
  'GET /openapi.json',
  'GET /api/connections',
];

/** How a caller is answered: 'in' is whatever the route itself answers. */
type Entry = 'in' | '401' | 'no app' | 'no limited app' | 'no administrator' | 'to /login';

/** Who comes: an app by its token as a bearer and as a cookie, and persons by their cookie. */
const callers = [
  'a stranger',
  'the guest',
  'an app with full access',
  'an app that reads',
  'an app of an administrator',
  'an app that reads, by cookie',
  'an app of an administrator, by cookie',
  'a user',
  'an administrator',
] as const;
type Caller = (typeof callers)[number];
type Entries = Readonly<Record<Caller, Entry>>;

const anybody: Entries = {
  'a stranger': 'in',
  'the guest': 'in',
  'an app with full access': 'in',
  'an app that reads': 'in',
  'an app of an administrator': 'in',
  'an app that reads, by cookie': 'in',
  'an app of an administrator, by cookie': 'in',
  'a user': 'in',
  'an administrator': 'in',
};
const apps: Entries = { ...anybody, 'a stranger': '401' };
const fullAccess: Entries = {
  ...apps,
  'an app that reads': 'no limited app',
  'an app that reads, by cookie': 'no limited app',
};
const persons: Entries = {
  ...apps,
  'the guest': 'no app',
  'an app with full access': 'no app',
  'an app that reads': 'no app',
  'an app of an administrator': 'no app',
  'an app that reads, by cookie': 'no app',
  'an app of an administrator, by cookie': 'no app',
};
const administrators: Entries = { ...persons, 'a user': 'no administrator' };

const expected: readonly (readonly [name: string, routes: readonly string[], entries: Entries])[] = [
  ['anybody', forAnybody, anybody],
  ['persons', forPersons, persons],
  ['administrators in person', forAdministrators, administrators],
  ['persons and apps with full access', forFullAccess, fullAccess],
  ['persons and all apps', forApps, apps],
];

let server: WholeServer;
let headersOf: ReadonlyMap<Caller, Readonly<Record<string, string>>>;
beforeAll(async () => {
  server = await openWholeServer({ OAUTH_METADATA: 'on', RATE_LIMITS: 'off' });
  const administrator = await signedInAt(server.origin, ada);
  const user = await invited(server, administrator, 'bob@example.com', { permissions: ['vault'] });
  const token = (browser: PlainBrowser, name: string, access: 'read' | 'change') =>
    grantToken(server.origin, browser, {
      name,
      access,
      services: ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'],
    });
  const [full, reading, ofAdministrator] = [
    await token(user, 'Full', 'change'),
    await token(user, 'Reading', 'read'),
    await token(administrator, 'Of an administrator', 'change'),
  ];
  const cookieOf = (browser: PlainBrowser) => ({ cookie: `user=${browser.cookies.get('user')}` });
  const [guest = ''] = (await fetch(`${server.origin}/set`)).headers.getSetCookie();
  headersOf = new Map<Caller, Record<string, string>>([
    ['a stranger', {}],
    ['the guest', { cookie: guest.split(';')[0] ?? '' }],
    ['an app with full access', { authorization: `Bearer ${full}` }],
    ['an app that reads', { authorization: `Bearer ${reading}` }],
    ['an app of an administrator', { authorization: `Bearer ${ofAdministrator}` }],
    ['an app that reads, by cookie', { cookie: `user=${reading}` }],
    ['an app of an administrator, by cookie', { cookie: `user=${ofAdministrator}` }],
    ['a user', cookieOf(user)],
    ['an administrator', cookieOf(administrator)],
  ]);
});
afterAll(async () => {
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await server[Symbol.asyncDispose]();
});

/** Calls a route as a program or as a browser does; how it lets the caller in. */
async function entryOf(route: string, caller: Caller, accept: 'application/json' | 'text/html'): Promise<Entry> {
  const [method = '', path = ''] = route.split(' ');
  // No record, service or delivery has such a name, so that nothing is done.
  const address = path.replaceAll(/[:*]\w+/g, 'none');
  const ending = new AbortController();
  const answer = await fetch(`${server.origin}${address}`, {
    method,
    redirect: 'manual',
    signal: ending.signal,
    headers: { ...headersOf.get(caller), accept: accept === 'text/html' ? accept : `${accept}, text/event-stream` },
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await answer.text();
  ending.abort();
  if (answer.status === 401 && text.includes('Authentication Required')) return '401';
  if (answer.status === 403 && text.includes('requires a user who is signed in with a browser')) return 'no app';
  if (answer.status === 403 && text.includes('This app was granted only part')) return 'no limited app';
  if (answer.status === 403 && text.includes('This requires an administrator')) return 'no administrator';
  const isSentToSignIn = answer.status === 303 && answer.headers.get('location') === '/login';
  // Signing out leads there as well, and so does the root without a session.
  return isSentToSignIn && path !== '/logout' && path !== '/' ? 'to /login' : 'in';
}

async function entriesOf(route: string, accept: 'application/json' | 'text/html'): Promise<Entries> {
  const found = await Promise.all(
    callers.map(async (caller) => [caller, await entryOf(route, caller, accept)] as const),
  );
  return { ...anybody, ...Object.fromEntries(found) };
}

describe.each(expected)('a route for %s', (_, routes, entries) => {
  it.each(routes)(
    '%s admits the callers that the table names, and nobody else (ROUTE-002, ROUTE-003, SESS-020)',
    async (route) => {
      expect(await entriesOf(route, 'application/json')).toEqual(entries);
    },
  );
});

describe('a page for persons', () => {
  const isPage = (route: string) => route.startsWith('GET ');
  it.each([...forPersons, ...forAdministrators].filter(isPage))(
    "%s redirects an app's cookie to sign-in (ROUTE-002)",
    async (route) => {
      const entries = await entriesOf(route, 'text/html');
      expect(entries['an app that reads, by cookie']).toBe('to /login');
      expect(entries['an app of an administrator, by cookie']).toBe('to /login');
      expect(entries['an app of an administrator']).toBe('no app');
      expect(entries['an administrator']).toBe('in');
    },
  );
});

describe('the operations of services', () => {
  it('are open to persons and all apps (ROUTE-002)', async () => {
    const headers = headersOf.get('an administrator') ?? {};
    const document = await (await fetch(`${server.origin}/openapi.json`, { headers })).json();
    const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(document);
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, 'none')}`),
    );
    expect(routes.length).toBeGreaterThan(100);
    for (const route of routes) {
      // A change of the account’s own vault would be one.
      const asked = route.replace(/^(PUT|POST|PATCH|DELETE) (\/api\/vault\/\w+)\/.*/, '$1 $2/.none/none');
      expect([route, await entriesOf(asked, 'application/json')]).toEqual([route, apps]);
    }
  });
});

describe('a route for visitors', () => {
  const byApps = callers.filter((caller) => caller.startsWith('an app'));
  it.each(byApps)('treats %s as anonymous (SESS-020)', async (caller) => {
    const ask = (path: string) =>
      fetch(`${server.origin}${path}`, {
        redirect: 'manual',
        headers: { ...headersOf.get(caller), accept: 'text/html' },
      });
    const registered = await fetch(`${server.origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"redirect_uris":["http://127.0.0.1:4567/callback"]}',
    });
    const { client_id: id } = z.object({ client_id: z.string() }).parse(await registered.json());
    const query = new URLSearchParams({ client_id: id, redirect_uri: 'http://127.0.0.1:4567/callback' });
    const consent = await (await ask(`/authorize?${query.toString()}`)).text();
    expect([consent.includes('name="password"'), consent.includes('Allow Access')]).toEqual([true, false]);
    expect(await (await ask('/login')).text()).toContain('name="password"');
    expect((await ask('/logout')).headers.get('location')).toBe('/login');
    expect((await ask('/metrics')).status).toBe(401);
  });
});

it('every route of the table is called in this file', () => {
  const table = routeTableOf(readFileSync('docs/specification.md', 'utf8'));
  const named = table
    .filter(({ path }) => path !== '/api/:service/*path')
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
  expect(expected.flatMap(([, routes]) => routes).toSorted()).toEqual(named.toSorted());
});
