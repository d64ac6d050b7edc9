import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

// Taking back is no way around the rights of an app or a user, and undoes nothing twice.

let world: UndoApp;
let app: string;

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
});
afterAll(() => world.stop());

const idSchema = z.looseObject({ id: z.union([z.number(), z.string()]) });
const amountOf = async (id: unknown) =>
  z.looseObject({ value: z.number() }).parse(await world.made(app, 'sales_crm_deal_get', { id })).value;

/** A deal whose value an app changed from 900 to 1200, and the id of that change. */
async function changedDeal(): Promise<Readonly<{ id: unknown; change: string }>> {
  const { id } = idSchema.parse(await world.made(app, 'sales_crm_deal_create', { title: 'Crane', value: 900 }));
  await world.made(app, 'sales_crm_deal_update', { id, value: 1_200 });
  return { id, change: await world.latest(app) };
}

const undo = async (token: string, change: string) => {
  const { isError, data } = await world.call(token, 'workspace_undo', { activity: change });
  return isError ? data['reason'] : 'done';
};

it('no other app, no other user and no guest takes a change back or sees it (UNDO-052)', async () => {
  const { id, change } = await changedDeal();
  const other = await world.app({ name: 'Other' });
  expect(await undo(other, change)).toBe('not_found');
  expect(await world.changes(other)).toEqual([]);
  const eve = await invited(world.server, world.browser, 'eve@example.org', { permissions: ['sales_crm'] });
  const evesApp = await grantToken(world.server.origin, eve, { name: 'Eve’s app' });
  expect(await undo(evesApp, change)).toBe('not_found');
  expect((await eve.get(`/activity/change?id=${change}`)).status).toBe(404);
  expect(await amountOf(id)).toBe(1_200);
});

it('an app that may only read has no such tool, and no other way (UNDO-059)', async () => {
  const reader = await world.app({ name: 'Reader', services: ['sales_crm'], access: 'read' });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const answer = await fetch(`${world.server.origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${reader}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
  expect(await answer.text()).not.toContain('workspace_undo');
});

it('an app’s token takes nothing back where a person does (UNDO-059)', async () => {
  const { id, change } = await changedDeal();
  for (const path of [`/api/activity/${change}/undo`, '/activity/change']) {
    const answer = await fetch(`${world.server.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([401, 403]).toContain(answer.status);
  }
  expect(await amountOf(id)).toBe(1_200);
});

it('of many who take one change back at once one does, and the record is written once (UNDO-052)', async () => {
  const { id, change } = await changedDeal();
  const before = world.services.fronts.salesCrm.requests();
  const reasons = await Promise.all([1, 2, 3, 4, 5].map(() => undo(app, change)));
  expect(reasons.filter((one) => one === 'done')).toHaveLength(1);
  expect(reasons.filter((one) => one === 'conflict')).toHaveLength(4);
  // The record is read to compare it, read to plan the change, and written once.
  expect(world.services.fronts.salesCrm.requests() - before).toBe(3);
  expect(await amountOf(id)).toBe(900);
});

it('nothing is taken back once the user lost the right, or the app was revoked (UNDO-060)', async () => {
  const { id, change } = await changedDeal();
  const users = z.looseObject({ data: z.array(z.looseObject({ id: z.number(), permissions: z.array(z.string()) })) });
  const me = users.parse(await (await world.browser.get('/api/users')).json()).data[0];
  const rights = (permissions: readonly string[]) =>
    sendJson(world.server, world.browser, ['PATCH', `/api/users/${me?.id}`, { permissions }]);
  await rights((me?.permissions ?? []).filter((one) => one !== 'sales_crm'));
  expect(await undo(app, change)).toBe('forbidden');
  await rights(me?.permissions ?? []);
  expect(await amountOf(id)).toBe(1_200);
});

it('nothing is taken back without the connection, nor over another account (UNDO-060)', async () => {
  const { change } = await changedDeal();
  await sendJson(world.server, world.browser, ['POST', '/disconnect', { service: 'sales_crm' }]);
  expect(await undo(app, change)).toBe('not_connected');
  await world.services.connectByKeys(await SignedIn.to(world.server.origin, ada));
  expect(await undo(app, change)).toBe('done');
});

it('nothing is taken back over the connection to another account, not even by force (UNDO-060)', async () => {
  const { id, change } = await changedDeal();
  const database = new DatabaseSync(join(world.server.dataDir, 'portolan.sqlite'));
  // The emulated service has one account: as if the connection of then had been to another one.
  database.exec(`update kept_changes set account = 'another' where id = '${change}'`);
  database.close();
  expect(await undo(app, change)).toBe('forbidden');
  const forced = await sendJson(world.server, world.browser, ['POST', `/api/activity/${change}/undo`, { force: true }]);
  expect(forced).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
  expect(await amountOf(id)).toBe(1_200);
});

it('an app that is asked before every change is asked before it takes one back, which is done once (UNDO-062)', async () => {
  const careful = await world.app({ name: 'Careful', ask: 'change' });
  const allow = async (args: object, name: string) => {
    const { data } = await world.call(careful, name, args);
    const { approval } = z.looseObject({ approval: z.looseObject({ id: z.string() }) }).parse(data);
    const decided = await sendJson(world.server, world.browser, [
      'POST',
      `/api/approvals/${approval.id}`,
      { decision: 'allow' },
    ]);
    expect(decided).toMatchObject({ status: 200, body: { state: 'done', outcome: { ok: true } } });
    return approval.id;
  };
  const { id } = idSchema.parse(await world.made(app, 'sales_crm_deal_create', { title: 'Crane', value: 900 }));
  await allow({ id, value: 1_200 }, 'sales_crm_deal_update');
  const change = await world.latest(careful);
  const asked = await allow({ activity: change, explain: 'It was wrong' }, 'workspace_undo');
  expect(await amountOf(id)).toBe(900);
  await world.made(app, 'sales_crm_deal_update', { id, value: 1_200 });
  // The outcome is fetched, and nothing is done again; nor by the same approval for another change.
  expect(await world.call(careful, 'workspace_undo', { activity: change, approval: asked })).toMatchObject({
    isError: false,
  });
  expect(await undo(careful, change)).toBe('conflict');
  const other = await world.call(careful, 'sales_crm_deal_update', { id, value: 1, approval: asked });
  expect(other.data['reason']).toBe('invalid_input');
  expect(await undo(app, asked)).toBe('not_found');
  expect(await amountOf(id)).toBe(1_200);
});

it('what it takes to take a change of 5 MB back is kept, or the change says that it cannot be (UNDO-026)', async () => {
  const title = 'Large';
  for (const size of [5_000_000, 9_000_000]) {
    const { id } = idSchema.parse(await world.made(app, 'sales_crm_deal_create', { title, value: 1 }));
    world.services.emulators.salesCrm.records.update('deal', String(id), { title: 'x'.repeat(size) });
    await world.call(app, 'sales_crm_deal_update', { id, title });
    const [change] = await world.changes(app);
    expect(['possible', 'impossible']).toContain(change?.undo);
    const reason = await undo(app, change?.id ?? '');
    expect(reason).toBe(change?.undo === 'possible' ? 'done' : 'rejected');
    const page = await world.browser.get(`/activity/change?id=${change?.id}`);
    expect(page.status).toBe(200);
    expect((await page.text()).length).toBeLessThan(1_000_000);
  }
});

it('what was changed, the app’s words and tokens are in no log line, activity or file of it (UNDO-058)', async () => {
  const { id } = idSchema.parse(await world.made(app, 'sales_crm_deal_create', { title: 'Quietly', value: 900 }));
  await world.made(app, 'sales_crm_deal_update', { id, title: 'Secretly', explain: 'whispered words' });
  await undo(app, await world.latest(app));
  const places = [
    world.server.lines.map((line) => JSON.stringify(line)).join(),
    await (await world.browser.get('/activity')).text(),
    await (await world.browser.get('/activity.csv')).text(),
    JSON.stringify((await sendJson(world.server, world.browser, ['GET', '/api/activity'])).body),
    await (await world.browser.get('/audit')).text(),
  ];
  for (const place of places) {
    expect(place).not.toBe('');
    expect(place).not.toMatch(/whispered|Secretly|Quietly/);
    expect(place).not.toContain(app);
  }
});
