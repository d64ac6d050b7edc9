import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

// Whoever sets a client id or a secret decides where people's tokens go and whose deliveries are believed.

const secret = 'a-secret-that-nobody-may-see';
let server: WholeServer;
let admin: PlainBrowser;

beforeAll(async () => {
  server = await startWholeServer({ SALES_CRM_DIALECT: 'pipedrive', WEBHOOK_REGISTRATION: 'off' });
  admin = await server.signedIn();
});
afterAll(() => server[Symbol.asyncDispose]());

const put = (browser: PlainBrowser, body: unknown) => sendJson(server, browser, ['PUT', '/api/setup/sales_crm', body]);
const sources = async () => {
  const { body } = await sendJson(server, admin, ['GET', '/api/setup/sales_crm']);
  return JSON.parse(JSON.stringify(body)).settings.map(({ source }: { source: string | null }) => source);
};
const nothing = [null, null, null, null];

describe('settings of providers', () => {
  it('are entered by no app, be it its token as a bearer or as a cookie', async () => {
    const token = await grantToken(server.origin, admin, { name: 'App' });
    const body = JSON.stringify({ client_id: 'of the app' });
    const kinds: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${token}` },
      { cookie: `user=${token}` },
    ];
    for (const headers of kinds) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(`${server.origin}/api/setup/sales_crm`, {
          method,
          headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
          ...(method === 'PUT' ? { body } : {}),
        });
        expect([method, answer.status]).toEqual([method, 403]);
      }
    }
    expect(await sources()).toEqual(nothing);
  });

  it('are entered by administrators only', async () => {
    const bob = await invited(server, admin, 'bob@example.com');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { client_id: 'of Bob' } : undefined;
      expect((await sendJson(server, bob, [method, '/api/setup/sales_crm', body])).status).toBe(403);
    }
    for (const path of ['settings', 'settings/remove', 'sign-in']) {
      const posted = await bob.post(`/setup/sales_crm/${path}`, { vendor: 'pipedrive', client_id: 'of Bob' });
      expect(posted.status).toBe(403);
    }
    expect(await sources()).toEqual(nothing);
  });

  it.each(['settings', 'settings/remove', 'sign-in'])('/setup/…/%s takes no form of another page', async (path) => {
    const fields = { vendor: 'pipedrive', client_id: 'forged', setting: 'client_id', password: 'x' };
    const forms = ['', 'forged', hiddenFields(await (await admin.get('/account')).text())['csrf_token'] ?? ''];
    for (const csrf_token of forms) {
      expect((await admin.post(`/setup/sales_crm/${path}`, { ...fields, csrf_token })).status).toBe(403);
    }
    const other = new PlainBrowser(server);
    const stolen = hiddenFields(await (await admin.get('/setup/sales_crm')).text());
    expect((await other.post(`/setup/sales_crm/${path}`, { ...fields, ...stolen })).status).toBe(401);
    expect(await sources()).toEqual(nothing);
  });

  it('are not set by another site with the administrator’s cookie', async () => {
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${server.origin}/api/setup/sales_crm`, {
      method: 'PUT',
      headers: { cookie, origin: 'https://evil.example', 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: 'forged' }),
    });
    expect(answer.status).toBe(403);
    expect(await sources()).toEqual(nothing);
  });

  it.each([
    ['a line break', `${secret}\r\nX-Injected: yes`],
    ['another control character', `${secret}\u0000`],
    ['100 KB', secret.repeat(4_000)],
    ['nothing but spaces', '   '],
  ])('take no value with %s, and repeat none (PSET-010)', async (_, value) => {
    for (const name of ['client_id', 'client_secret', 'webhook_secret']) {
      const answer = await put(admin, { [name]: value });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    const fields = hiddenFields(await (await admin.get('/setup/sales_crm')).text());
    const posted = await admin.post('/setup/sales_crm/settings', { ...fields, client_secret: value });
    expect(await posted.text()).not.toContain(secret);
    expect(await sources()).toEqual(nothing);
    expect(server.log()).not.toContain(secret);
  });

  it.each(['__proto__', 'constructor', 'none'])('are of no service and no vendor named %s', async (name) => {
    expect((await sendJson(server, admin, ['PUT', `/api/setup/${name}`, { client_id: 'x' }])).status).toBe(404);
    expect((await put(admin, { vendor: name, client_id: 'x' })).status).toBe(404);
    expect((await sendJson(server, admin, ['DELETE', `/api/setup/sales_crm?setting=${name}`])).status).toBe(404);
  });

  it.each([
    ['a vendor that there is not', ['pipedrive', 'none']],
    ['one twice', ['hubspot', 'hubspot']],
    ['a name with a comma', ['hubspot,pipedrive']],
    ['a property of every object', ['__proto__']],
    ['a text', 'pipedrive'],
    ['10,000 names', Array.from({ length: 10_000 }, () => 'pipedrive')],
  ])('take no choice of vendors with %s (PSET-014)', async (_, vendors) => {
    for (const service of ['tracker', 'signing']) {
      const answer = await sendJson(server, admin, ['PUT', `/api/setup/${service}`, { vendors }]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      const after = await sendJson(server, admin, ['GET', `/api/setup/${service}`]);
      expect(after.body).toMatchObject({ vendors: { needs_restart: false, from_next_start: ['neutral'] } });
    }
  });

  it('are written into a page as text', async () => {
    await put(admin, { client_id: '"><script>alert(1)</script>' });
    const html = await (await admin.get('/setup/sales_crm')).text();
    expect(html).not.toContain('<script>alert');
    await sendJson(server, admin, ['DELETE', '/api/setup/sales_crm']);
    expect(await sources()).toEqual(nothing);
  });
});
