import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields } from '#test/support/authorization/plain-browser.ts';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

// What apps changed is taken back, by the app itself and by its user, over the whole app.

let world: UndoApp;
let app: string;
let other: string;

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
  other = await world.app({ name: 'Other' });
});
afterAll(() => world.stop());

const dealSchema = z.looseObject({ id: z.union([z.number(), z.string()]), value: z.number().nullish() });
const madeDeal = async (value = 900) =>
  dealSchema.parse(await world.made(app, 'sales_crm_deal_create', { title: 'Harbour crane', value })).id;
const amountOf = async (id: unknown) =>
  dealSchema.parse(await world.made(app, 'sales_crm_deal_get', { id })).value ?? null;
const changeOf = async (id: unknown, value: number, more: object = {}) => {
  await world.made(app, 'sales_crm_deal_update', { id, value, ...more });
  return world.latest(app);
};
const posted = (path: string, body: object) => sendJson(world.server, world.browser, ['POST', path, body]);

describe('workspace_undo', () => {
  it('takes one change back, once (UNDO-050, UNDO-052)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    expect(await world.call(app, 'workspace_undo', { activity: change })).toEqual({
      isError: false,
      data: { id: change, taken_back: true },
    });
    expect(await amountOf(id)).toBe(900);
    const again = await world.call(app, 'workspace_undo', { activity: change });
    expect([again.isError, again.data['reason']]).toEqual([true, 'conflict']);
    expect((await world.changes(app)).find((one) => one.id === change)?.undo).toBe('taken_back');
  });

  it('takes all changes since a time back, the latest first, and says what could not be (UNDO-051)', async () => {
    const id = await madeDeal();
    const since = new Date().toISOString();
    await changeOf(id, 1_000);
    await changeOf(id, 1_100);
    await world.made(app, 'signing_document_create', {
      name: 'Harbour NDA',
      url: 'https://files.example/nda.pdf',
      recipients: [{ email: 'ada@example.com' }],
    });
    const { data } = await world.call(app, 'workspace_undo', { since });
    const schema = z.object({
      taken_back: z.array(z.looseObject({ operation: z.string() })),
      refused: z.array(z.looseObject({ operation: z.string(), reason: z.string(), message: z.string() })),
    });
    const { taken_back: done } = schema.parse(data);
    expect(done.filter(({ operation }) => operation === 'sales_crm.deals.update')).toHaveLength(2);
    expect(await amountOf(id)).toBe(900);
    const after = schema.parse((await world.call(app, 'workspace_undo', { since })).data);
    expect(after.taken_back).toEqual([]);
    expect(await amountOf(id)).toBe(900);
  });

  it('shows what it would do, and does nothing, with dry (UNDO-050)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    const { data } = await world.call(app, 'workspace_undo', { activity: change, dry: true });
    expect(data).toMatchObject({ dry: true, changes: [{ record: 'Harbour crane' }] });
    expect(JSON.stringify(data)).toContain('"before":1200,"after":900');
    expect(await amountOf(id)).toBe(1_200);
    expect((await world.changes(app))[0]).toMatchObject({ id: change, undo: 'possible' });
  });

  it('leaves what somebody changed since, until a person forces it (UNDO-053)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    await world.made(other, 'sales_crm_deal_update', { id, value: 5_000 });
    const refused = await world.call(app, 'workspace_undo', { activity: change });
    expect([refused.isError, refused.data['reason']]).toEqual([true, 'conflict']);
    expect(await amountOf(id)).toBe(5_000);
    const byPerson = await posted(`/api/activity/${change}/undo`, {});
    expect(byPerson).toMatchObject({ status: 409, body: { reason: 'conflict' } });
    const forced = await posted(`/api/activity/${change}/undo`, { force: true });
    expect(forced).toMatchObject({ status: 200, body: { data: { id: change, taken_back: true } } });
    expect(await amountOf(id)).toBe(900);
  });

  it.each([
    [{}, /`activity`/],
    [{ activity: 'a', since: '2026-11-28T09:30:00Z' }, /not both/],
    [{ since: '2026-11-28T09:30:00Z', approval: 'x' }, /for one change/],
    [{ since: 'yesterday' }, /since/],
  ])('refuses %j (UNDO-050)', async (args, message) => {
    const { isError, data } = await world.call(app, 'workspace_undo', args);
    expect([isError, data['reason']]).toEqual([true, 'invalid_input']);
    expect(data['message']).toMatch(message);
  });
});

describe('what took a change back', () => {
  it('is kept itself, and taken back by a person: the change is there again (UNDO-057)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    await world.made(app, 'workspace_undo', { activity: change });
    const rows = await activity();
    const undoing = rows.filter(({ undo }) => undo !== undefined && undo.id !== change)[0]?.undo?.id ?? '';
    expect((await world.changes(app)).map((one) => one.id)).not.toContain(undoing);
    expect((await posted(`/api/activity/${undoing}/undo`, {})).status).toBe(200);
    expect(await amountOf(id)).toBe(1_200);
    expect((await world.changes(app)).find((one) => one.id === change)?.undo).toBe('possible');
    await world.made(app, 'workspace_undo', { activity: change });
    expect(await amountOf(id)).toBe(900);
  });
});

const rowSchema = z.looseObject({
  id: z.number(),
  app: z.string().nullable(),
  operation: z.string(),
  undo: z.looseObject({ id: z.string(), state: z.string() }).optional(),
});

/** The activity as a person sees it, once the last second was written. */
async function activity(token?: string) {
  await new Promise((go) => setTimeout(go, 1_500));
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer =
    token === undefined
      ? await world.browser.get('/api/activity')
      : await fetch(`${world.server.origin}/api/activity`, { headers });
  return z.looseObject({ data: z.array(rowSchema) }).parse(await answer.json()).data;
}

describe('the activity', () => {
  it('says of each change whether it can be taken back, to its user and its own app (UNDO-056)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    await amountOf(id);
    const [read, update] = await activity();
    expect([read?.operation, read?.undo]).toEqual(['deals.get', undefined]);
    expect(update?.undo).toEqual({ id: change, state: 'possible' });
    expect((await activity(app)).find(({ undo }) => undo?.id === change)).toBeDefined();
    const others = await activity(other);
    expect(others.filter((one) => one.app === 'Scribe' && one.undo !== undefined)).toEqual([]);
    const byNumber = await posted(`/api/activity/${update?.id}/undo`, {});
    expect(byNumber).toMatchObject({ status: 200, body: { data: { id: change, taken_back: true } } });
    expect((await activity()).find(({ undo }) => undo?.id === change)?.undo?.state).toBe('taken_back');
  });

  it('keeps no words of the app, neither in its JSON nor in the CSV nor for an administrator (UNDO-058)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_300);
    await world.made(app, 'workspace_undo', { activity: change, explain: 'zebra words' });
    await activity();
    const texts = [];
    for (const path of [
      '/api/activity',
      '/api/activity?of=all',
      '/activity',
      '/activity?of=all',
      '/activity.csv?of=all',
    ])
      texts.push(await (await world.browser.get(path)).text());
    expect(texts.join('')).not.toContain('zebra');
    expect(texts[1]).not.toContain('"undo"');
  });
});

describe('the page of a change', () => {
  it('shows both values, the app’s own words and invisible characters, and takes it back (UNDO-054, UNDO-055)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_234, { title: 'Har\u202Ebour' });
    const page = await (await world.browser.get(`/activity/change?id=${change}`)).text();
    expect(page).toMatch(/<del dir="auto">900<\/del>[\s\S]*<ins dir="auto">1234<\/ins>/);
    expect(page).toContain('Har\\u202ebour');
    expect(page).toContain('Take back');
    const form = hiddenFields(page);
    const taken = await world.browser.post('/activity/change', form);
    expect([taken.status, taken.headers.get('location')]).toEqual([303, `/activity/change?id=${change}`]);
    expect(await amountOf(id)).toBe(900);
    const after = await (await world.browser.get(`/activity/change?id=${change}`)).text();
    expect(after).toContain('Taken back');
    expect(after).not.toContain('<button class="button" type="submit">Take back');
  });

  it('shows the app’s own words after the difference (UNDO-054)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_234);
    await world.made(app, 'workspace_undo', { activity: change, explain: 'Ada asked\u200B for it <b>' });
    const undoing = (await activity()).find(({ undo }) => undo !== undefined && undo.id !== change)?.undo?.id ?? '';
    const page = await (await world.browser.get(`/activity/change?id=${undoing}`)).text();
    expect(page).toContain('Ada asked\\u200b for it &lt;b&gt;');
    expect(page.indexOf('Ada asked')).toBeGreaterThan(page.indexOf('1234'));
  });

  it('offers to force what somebody changed since (UNDO-055)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200);
    await world.made(other, 'sales_crm_deal_update', { id, value: 5_000 });
    const page = await (await world.browser.get(`/activity/change?id=${change}`)).text();
    expect(page).not.toContain('name="force"');
    const refused = await world.browser.post('/activity/change', hiddenFields(page));
    expect(refused.status).toBe(409);
    const text = await refused.text();
    expect(text).toContain('name="force"');
    const forced = { ...hiddenFields(text), force: 'true' };
    expect((await world.browser.post('/activity/change', forced)).status).toBe(303);
    expect(await amountOf(id)).toBe(900);
  });

  it('offers to force the rest of a change that was taken back in part (UNDO-064)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200, { title: 'Harbour cranes' });
    await world.made(other, 'sales_crm_deal_update', { id, value: 5_000 });
    expect(await world.made(app, 'workspace_undo', { activity: change })).toMatchObject({ taken_back: true });
    expect(await amountOf(id)).toBe(5_000);
    expect((await world.changes(app)).find((one) => one.id === change)?.undo).toBe('possible');
    const page = await (await world.browser.get(`/activity/change?id=${change}`)).text();
    expect(page).toContain('Partly taken back');
    expect(page).toContain('name="force"');
    const forced = await world.browser.post('/activity/change', { ...hiddenFields(page), force: 'true' });
    expect(forced.status).toBe(303);
    expect(await world.made(app, 'sales_crm_deal_get', { id })).toMatchObject({ title: 'Harbour crane', value: 900 });
    const again = await posted(`/api/activity/${change}/undo`, { force: true });
    expect(again).toMatchObject({ status: 409, body: { reason: 'conflict' } });
  });

  it('says what it left as it was, at once (UNDO-064)', async () => {
    const id = await madeDeal();
    const change = await changeOf(id, 1_200, { title: 'Harbour cranes' });
    await world.made(other, 'sales_crm_deal_update', { id, value: 5_000 });
    const page = await (await world.browser.get(`/activity/change?id=${change}`)).text();
    const taken = await world.browser.post('/activity/change', hiddenFields(page));
    const text = await taken.text();
    expect(taken.status).toBe(200);
    expect(text).toContain('Somebody changed Value of');
    expect(text).toContain('name="force"');
  });
});
