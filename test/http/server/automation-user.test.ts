import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { invited } from '#test/support/server/invited.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';
import { dealPayload, salesCrmDelivery, salesCrmSecret } from '#test/support/webhooks/webhook-senders.ts';

const email = 'admin@localhost';
let server: WholeServer;
let admin: PlainBrowser;
let other: PlainBrowser;

beforeAll(async () => {
  server = await startWholeServer({ SALES_CRM_WEBHOOK_SECRET: salesCrmSecret });
  admin = await server.signedIn();
  other = await invited(server, admin, 'grace@example.com', { admin: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: unknown) =>
  sendJson(server, other, body === undefined ? [method, path] : [method, path, body]);
const page = async (path: string) => (await other.get(path)).text();

describe('the automation user', () => {
  it('cannot be deactivated without a successor: neither on the page nor with JSON (USER-015)', async () => {
    const refused = await send('PATCH', '/api/users/1', { active: false });
    expect(refused).toMatchObject({
      status: 409,
      body: { reason: 'automation_user', detail: expect.stringContaining('Set AUTOMATION_USER_ID to another user') },
    });
    const answer = await other.post('/users/1/deactivate', hiddenFields(await page('/users')));
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('Set AUTOMATION_USER_ID to another user');
    expect((await admin.get('/page')).status).toBe(200);
  });

  it('stays the automation user with other permissions (USER-015)', async () => {
    expect(await send('PATCH', '/api/users/1', { permissions: ['vault'] })).toMatchObject({ status: 200 });
    expect(await send('PATCH', '/api/users/1', { admin: false })).toMatchObject({
      status: 200,
      body: { automation: true },
    });
    expect(await send('PATCH', '/api/users/1', { admin: true })).toMatchObject({ status: 200 });
  });

  it('is shown on the pages (USER-014, USER-016)', async () => {
    const users = await page('/users');
    expect(users.match(/Automation user/g)).toHaveLength(1);
    expect(users).not.toContain(`Deactivate ${email}`);
    expect(await page('/setup')).toContain(`the connections of ${email}`);
    expect(await send('GET', '/api/users')).toMatchObject({
      body: { data: [{ automation: true }, { automation: false }] },
    });
  });

  it('that an earlier version deactivated leaves work waiting, which continues when they are active again (REACT-013)', async () => {
    await withStored(server.dataDir, ({ users }) => users.change(1, { deactivatedAt: Date.now() }));
    await expect.poll(() => page('/users')).toContain('is deactivated. Deliveries, reactions and webhooks wait');
    const { headers, body } = salesCrmDelivery(dealPayload());
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' } as Record<string, string>,
      body: new Uint8Array(body),
    };
    expect((await fetch(`${server.origin}/webhooks/sales_crm`, sent)).status).toBe(200);
    await expect.poll(() => server.log()).toContain('Deliveries wait');
    expect(await page('/deliveries')).toContain('is deactivated. Deliveries, reactions and webhooks wait');
    expect(await page('/setup')).toContain('is deactivated. Deliveries, reactions and webhooks wait');

    expect(await send('PATCH', '/api/users/1', { active: true })).toMatchObject({ status: 200 });
    await expect.poll(() => page('/deliveries')).toContain('>Deals/Sample deal.md</a>');
    expect(await page('/users')).not.toContain('webhooks wait');
  });
});
