import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';
import { Changes } from '#test/support/services/taken-back.ts';

const idSchema = z.looseObject({ id: z.union([z.number(), z.string()]) });
const hash = '3d0fa3429dfa2d3dec265b4fc5dc8258ab66cdf3';

/** By hand: how each vendor is emulated, and the token of a connection. */
const vendors = {
  neutral: [() => startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] }), personalToken],
  pipedrive: [() => startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] }), personalToken],
  hubspot: [() => startHubSpotEmulator(), privateAppToken],
} as const;

describe.each(['neutral', 'pipedrive', 'hubspot'] as const)('a change in the sales CRM, %s', (dialect) => {
  let emulator: Readonly<{ url: string; close(): Promise<void> }>;
  let http: HttpClient;
  let crm: Changes;
  /** A custom field of a text. */
  let custom: string;

  beforeEach(async () => {
    const [start, accessToken] = vendors[dialect];
    const started = await start();
    emulator = started;
    custom = dialect === 'hubspot' ? 'segment' : hash;
    if ('store' in started) {
      started.store.define('deals', 'segment', 'string');
      started.store.define('contacts', 'segment', 'string');
    }
    http = new HttpClient(() => 0);
    const provider = salesCrmProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const extra = { plan: 'enterprise', portal_id: 62_515, user_id: 11, company_currency: 'EUR' };
    const record = tokenRecord('sales_crm', { accessToken, authMethod: 'personal_token', extra });
    crm = new Changes({ provider, record, http });
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  const made = async (name: string, input: object) => idSchema.parse(await crm.data(name, { ...input })).id;
  const deal = async (id: unknown) => z.looseObject({}).parse(await crm.data('deals.get', { id }));

  it('of a deal is planned with its name and both values, and taken back (UNDO-020, UNDO-022)', async () => {
    const org_id = await made('organizations.create', { name: 'Acme' });
    const id = await made('deals.create', { title: 'Acme: 20 licences', value: 900, custom_fields: { [custom]: 'a' } });
    const input = { id, value: 1_200, title: 'Acme: 30 licences', org_id, custom_fields: { [custom]: 'b' } };
    const change = await crm.make('deals.update', input);
    expect(change.plan).toMatchObject({
      differences: [
        {
          kind: 'record',
          id: String(id),
          title: 'Acme: 20 licences',
          fields: expect.arrayContaining([
            { field: 'Value', before: 900, after: 1_200 },
            { field: 'Title', before: 'Acme: 20 licences', after: 'Acme: 30 licences' },
            { field: 'Org', before: null, after: org_id },
            { field: custom, before: 'a', after: 'b' },
          ]),
        },
      ],
      irreversible: null,
    });
    expect(await deal(id)).toMatchObject({ value: 1_200, org_id, custom_fields: { [custom]: 'b' } });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    const back = await deal(id);
    expect(back).toMatchObject({ value: 900, title: 'Acme: 20 licences', custom_fields: { [custom]: 'a' } });
    expect(back['org_id'] ?? null).toBe(null);
  });

  it('of a deal that was edited by hand since leaves the edit (UNDO-023)', async () => {
    const id = await made('deals.create', { title: 'Acme', value: 900 });
    const change = await crm.make('deals.update', { id, value: 1_200, expected_close_date: '2026-12-01' });
    await crm.data('deals.update', { id, title: 'Acme Ltd' });
    await crm.data('deals.update', { id, value: 1_300 });
    const partly = await crm.takeBack(change);
    expect(partly).toMatchObject({ ok: true, warnings: [expect.stringContaining('Value')] });
    expect(await deal(id)).toMatchObject({ title: 'Acme Ltd', value: 1_300 });
    const again = await crm.takeBack(change);
    expect(again).toMatchObject({ ok: false, reason: 'conflict', message: expect.stringContaining('Value') });
    expect(await crm.takeBack(change, { isForced: true })).toMatchObject({ ok: true });
    expect(await deal(id)).toMatchObject({ title: 'Acme Ltd', value: 900 });
  });

  it('of a deal to won is taken back to its stage (UNDO-022)', async () => {
    const id = await made('deals.create', { title: 'Acme' });
    const before = await deal(id);
    const change = await crm.make('deals.update', { id, status: 'won' });
    expect(await deal(id)).toMatchObject({ status: 'won' });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    expect(await deal(id)).toMatchObject({ status: before['status'], stage_id: before['stage_id'] });
  });

  it('of a person is taken back: name, addresses and numbers (UNDO-022)', async () => {
    const emails = [{ value: 'ann@example.com', primary: true }];
    const phones = [{ value: '+44 20 7946 0000', primary: true, label: 'work' }];
    const id = await made('persons.create', { name: 'Ann Buyer', emails, phones });
    const before = await crm.data('persons.get', { id });
    const changed = { name: 'Ann Seller', emails: [{ value: 'a@x.example', primary: true }], phones: [] };
    const change = await crm.make('persons.update', { id, ...changed, custom_fields: { [custom]: 'x' } });
    expect(change.plan.differences).toMatchObject([{ title: 'Ann Buyer' }]);
    await crm.data('persons.update', { id, owner_id: 2 });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    const { update_time: _, custom_fields: __, owner_id: ___, ...rest } = z.looseObject({}).parse(before);
    expect(await crm.data('persons.get', { id })).toMatchObject({ ...rest, owner_id: 2 });
  });

  it('that makes a record is taken back by deleting it, unless somebody changed it (UNDO-024)', async () => {
    const first = await crm.make('organizations.create', { name: 'Acme' });
    const { id } = idSchema.parse(first.outcome.ok ? first.outcome.data : null);
    expect(first.plan).toMatchObject({ differences: [{ id: null, title: 'Acme' }], irreversible: null });
    await crm.data('organizations.update', { id, address: { value: '1 Main Street' } });
    expect(await crm.takeBack(first)).toMatchObject({ ok: false, reason: 'conflict' });
    expect(await crm.data('organizations.get', { id })).toMatchObject({ name: 'Acme' });
    const second = await crm.make('organizations.create', { name: 'Bcme' });
    const made = idSchema.parse(second.outcome.ok ? second.outcome.data : null);
    expect(await crm.takeBack(second)).toMatchObject({ ok: true });
    expect(await crm.call('organizations.get', { id: made.id })).toMatchObject({ ok: false });
    expect(await crm.takeBack(first, { isForced: true })).toMatchObject({ ok: true });
    expect(await crm.call('organizations.get', { id })).toMatchObject({ ok: false });
  });

  it('that deletes a deal is taken back: restored, or made again (UNDO-025)', async () => {
    const id = await made('deals.create', { title: 'Acme', value: 900, custom_fields: { [custom]: 'a' } });
    const change = await crm.make('deals.delete', { id });
    expect(change.plan).toMatchObject({ differences: [{ title: 'Acme' }] });
    expect(change.plan.irreversible !== null).toBe(dialect === 'hubspot');
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    const all = z.array(idSchema).parse(await crm.data('deals.list', {}));
    const back = all.find((one) => one['title'] === 'Acme');
    expect(back).toMatchObject({ value: 900, custom_fields: { [custom]: 'a' } });
    expect(back?.id === id).toBe(dialect !== 'hubspot');
  });

  it('that deletes a person says that it is made again with a new id, and is (UNDO-025)', async () => {
    const id = await made('persons.create', { name: 'Ann Buyer', emails: [{ value: 'a@x.example', primary: true }] });
    const change = await crm.make('persons.delete', { id });
    expect(change.plan.irreversible).toContain('a new id');
    const outcome = await crm.takeBack(change);
    expect(outcome).toMatchObject({ ok: true, data: { name: 'Ann Buyer', emails: [{ value: 'a@x.example' }] } });
    expect(idSchema.parse(outcome.ok ? outcome.data : null).id).not.toBe(id);
  });

  it('of a note and of a lead is taken back (UNDO-022)', async () => {
    const person_id = await made('persons.create', { name: 'Ann Buyer' });
    const note = await made('notes.create', { content: 'Likes blue', person_id });
    const rewritten = await crm.make('notes.update', { id: note, content: 'Likes red' });
    expect(await crm.takeBack(rewritten)).toMatchObject({ ok: true });
    expect(await crm.data('notes.get', { id: note })).toMatchObject({ content: 'Likes blue', person_id });
    const lead = String(await made('leads.create', { title: 'Acme', person_id }));
    const renamed = await crm.make('leads.update', { id: lead, title: 'Bcme' });
    expect(await crm.takeBack(renamed)).toMatchObject({ ok: true });
    expect(await crm.data('leads.get', { id: lead })).toMatchObject({ title: 'Acme', person_id });
  });

  it('of a record that is not there is planned without its previous values, and says so (UNDO-021)', async () => {
    const plan = await crm.dry('persons.update', { id: 9_999_999, name: 'Ann' });
    expect(plan).toMatchObject({
      differences: [{ fields: [{ field: 'Name', after: 'Ann' }] }],
      missing: { reason: 'not_found', sent: 'no' },
    });
  });

  it('that merges says before that it cannot be taken back (UNDO-026)', async () => {
    const [id, kept] = [await made('persons.create', { name: 'A' }), await made('persons.create', { name: 'B' })];
    const plan = await crm.dry('persons.merge', { id, merge_with_id: kept });
    expect(plan).toMatchObject({ differences: [{ title: 'A' }], irreversible: expect.stringContaining('for good') });
    expect(await crm.data('persons.get', { id })).toMatchObject({ name: 'A' });
  });
});
