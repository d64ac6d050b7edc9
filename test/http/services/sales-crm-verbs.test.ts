import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

type Name = keyof typeof operations;
type Input = Readonly<Record<string, unknown>>;

const idSchema = z.looseObject({ id: z.union([z.number(), z.string()]) });
const unknownLead = 'adf21080-0e10-11eb-879b-05d71fb426ec';

/** By hand: how each vendor is emulated, and the token of a connection. */
const vendors = {
  neutral: [() => startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] }), personalToken],
  pipedrive: [() => startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] }), personalToken],
  hubspot: [() => startHubSpotEmulator(), privateAppToken],
} as const;

describe.each(['neutral', 'pipedrive', 'hubspot'] as const)('the verbs of the sales CRM, %s', (dialect) => {
  let emulator: Readonly<{ url: string; close(): Promise<void> }>;
  let http: HttpClient;
  let call: (name: Name, input?: Input) => Promise<Outcome>;

  beforeEach(async () => {
    const [start, accessToken] = vendors[dialect];
    emulator = await start();
    http = new HttpClient(() => 0);
    const provider = salesCrmProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const extra = { plan: 'enterprise', portal_id: 62_515, user_id: 11, company_currency: 'EUR' };
    const record = tokenRecord('sales_crm', { accessToken, authMethod: 'personal_token', extra });
    const tokens = { find: async () => ok(record), renew: async () => err(failed('unauthorized', 'gone')) };
    const gateway = operationsOver({ providers: [provider], tokens, http });
    call = (name, input = {}) => gateway.call({ userId: 1, service: 'sales_crm', name, input });
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  async function made(name: Name, input: Input): Promise<number | string> {
    const outcome = await call(name, input);
    if (!outcome.ok) throw new Error(outcome.message);
    return idSchema.parse(outcome.data).id;
  }

  it('change and complete an activity (SALES-004)', async () => {
    const id = await made('activities.create', { subject: 'Call Ann', due_date: '2026-12-01' });
    const changed = { subject: 'Call Ann Buyer', due_date: '2026-12-02', done: true, note: 'Offer' };
    expect(await call('activities.update', { id, ...changed })).toMatchObject({ ok: true, data: { id, ...changed } });
    expect(await call('activities.get', { id })).toMatchObject({ ok: true, data: changed });
    const missing = await call('activities.update', { id: 9_999_999, done: true });
    expect(missing).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('take the person and the organization of an activity and a note by name, and refuse unknown ones (SALES-015)', async () => {
    const org_id = await made('organizations.create', { name: 'Acme' });
    const person_id = await made('persons.create', { name: 'Ann Buyer', org_id });
    const id = await made('activities.create', { subject: 'Call' });
    const named = await call('activities.update', { id, person: 'Ann Buyer', org: 'Acme' });
    expect(named).toMatchObject({ ok: true, data: { person_id, org_id } });
    const note = await call('notes.create', { content: 'Likes blue', person: 'Ann Buyer' });
    expect(note).toMatchObject({ ok: true, data: { content: 'Likes blue', person_id } });
    expect(await call('notes.list', { person_id })).toMatchObject({ ok: true, data: [{ content: 'Likes blue' }] });
    const unknown = await call('notes.create', { content: 'Likes blue', org: 'Bcme' });
    expect(unknown).toMatchObject({ ok: false, reason: 'not_found', message: expect.stringContaining('Bcme') });
  });

  it('write a note on a deal (SALES-008)', async () => {
    const deal_id = await made('deals.create', { title: 'Acme' });
    await made('notes.create', { content: 'Called', deal_id });
    expect(await call('notes.list', { deal_id })).toMatchObject({ ok: true, data: [{ content: 'Called' }] });
  });

  it('change an organization (SALES-003)', async () => {
    const id = await made('organizations.create', { name: 'Acme' });
    const changed = await call('organizations.update', { id, name: 'Acme Ltd', address: { value: '1 Main Street' } });
    expect(changed).toMatchObject({ ok: true, data: { id, name: 'Acme Ltd', address: { value: '1 Main Street' } } });
  });

  it.each([
    ['persons', 'person_id'],
    ['organizations', 'org_id'],
  ] as const)('merge two %s: the first is gone, and what it had is the other’s (SALES-020)', async (group, member) => {
    const [double, kept] = [
      await made(`${group}.create`, { name: 'Double' }),
      await made(`${group}.create`, { name: 'Kept' }),
    ];
    const deal = await made('deals.create', { title: 'Acme', [member]: double });
    expect(await call(`${group}.merge`, { id: double, merge_with_id: kept })).toMatchObject({
      ok: true,
      data: { id: kept },
    });
    expect(await call(`${group}.get`, { id: double })).toMatchObject({ ok: false });
    expect(await call(`${group}.get`, { id: kept })).toMatchObject({ ok: true, data: { name: 'Kept' } });
    expect(await call('deals.get', { id: deal })).toMatchObject({ ok: true, data: { [member]: kept } });
    const again = await call(`${group}.merge`, { id: double, merge_with_id: kept });
    expect(again).toMatchObject({ ok: false });
    expect(await call(`${group}.get`, { id: kept })).toMatchObject({ ok: true, data: { name: 'Kept' } });
  });

  it('convert a lead into a deal with its person, in a stage by name (SALES-006, SALES-021)', async () => {
    const person_id = await made('persons.create', { name: 'Ann Buyer' });
    const lead = await made('leads.create', { title: 'Acme: 20 licences', person_id });
    const pipelines = await call('pipelines.overview', {});
    const [pipeline] = z
      .array(z.looseObject({ stages: z.array(z.looseObject({ name: z.string(), id: z.number() })) }))
      .parse(pipelines.ok ? pipelines.data : []);
    const stage = pipeline?.stages[1];
    const converted = await call('leads.convert', { id: String(lead), stage: stage?.name });
    const deals = await call('deals.list', {});
    const [deal] = z.array(idSchema).parse(deals.ok ? deals.data : []);
    expect(deal).toMatchObject({ title: 'Acme: 20 licences', person_id, stage_id: stage?.id });
    expect(converted).toMatchObject({
      ok: true,
      data: dialect === 'neutral' ? { conversion_id: expect.any(String) } : { deal_id: deal?.id, status: 'completed' },
    });
    expect(await call('leads.list', {})).toMatchObject({ ok: true, data: [] });
    expect(await call('leads.convert', { id: unknownLead })).toMatchObject({ ok: false });
    expect(await call('leads.convert', { id: unknownLead, stage: 'Nowhere' })).toMatchObject({
      ok: false,
      reason: 'not_found',
      message: expect.stringContaining('Nowhere'),
    });
  });
});
