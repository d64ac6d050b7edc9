import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

type Name = keyof typeof operations;
type Input = Readonly<Record<string, unknown>>;

const idSchema = z.looseObject({ id: z.union([z.number(), z.string()]) });

describe.each(['neutral', 'pipedrive'] as const)('names in the sales CRM, %s', (dialect) => {
  let emulator: SalesCrmEmulator;
  let http: HttpClient;
  let call: (name: Name, input?: Input) => Promise<Outcome>;
  let acme: unknown;
  let ann: unknown;

  beforeEach(async () => {
    emulator = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
    http = new HttpClient(() => 0);
    const provider = salesCrmProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const record = tokenRecord('sales_crm', {
      authMethod: 'personal_token',
      accessToken: personalToken,
      extra: { plan: 'ultimate', seats: 100 },
    });
    const tokens = { find: async () => ok(record), renew: async () => err(failed('unauthorized', 'gone')) };
    const gateway = operationsOver({ providers: [provider], tokens, http });
    call = (name, input = {}) => gateway.call({ userId: 1, service: 'sales_crm', name, input });
    // The pipeline that is there is 1, with the stages 1 to 3; the second has two of its own, one with a name that is there twice.
    await made('pipelines.create', { name: 'Partners' });
    await made('stages.create', { name: 'Negotiations', pipeline_id: 2 });
    await made('stages.create', { name: 'Qualified', pipeline_id: 2 });
    acme = await made('organizations.create', { name: 'Acme' });
    ann = await made('persons.create', { name: 'Ann Buyer', emails: [{ value: 'ann@buyer.example', primary: true }] });
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  async function made(name: Name, input: Input): Promise<unknown> {
    const outcome = await call(name, input);
    if (!outcome.ok) throw new Error(outcome.message);
    return idSchema.parse(outcome.data).id;
  }

  it('move a deal to a stage, with a search and a change', async () => {
    await made('deals.create', { title: 'Acme' });
    const found = await call('items.search', { term: 'Acme', item_types: ['deal'] });
    const [hit] = z.array(z.looseObject({ item: idSchema })).parse(found.ok ? found.data : []);
    const moved = await call('deals.update', { id: hit?.item.id, stage: 'negotiations started' });
    expect(moved).toMatchObject({ ok: true, data: { stage_id: 3 } });
    expect(moved).not.toHaveProperty('data.stage');
  });

  it('create a deal with names for everything (TOOL-007, SALES-015)', async () => {
    const input = { title: 'A', owner: 'bob@example.com', person: 'Ann Buyer', org: 'acme', stage: 'Negotiations' };
    const wanted = { owner_id: 2, person_id: ann, org_id: acme, stage_id: 4 };
    expect(await call('deals.create', input)).toMatchObject({ ok: true, data: wanted });
    expect(
      await call('deals.list', { org: 'Acme', pipeline: 'Pipeline', owner: 'Bob Seller', stage: 4 }),
    ).toMatchObject({
      ok: true,
    });
    expect(await call('deals.create', { title: 'B', person: 'ann@buyer.example', owner: 'me' })).toMatchObject({
      data: { person_id: ann, owner_id: 1 },
    });
  });

  it('create and list persons, organizations, activities and leads (SALES-015)', async () => {
    const lead = { title: 'A', person: 'Ann Buyer', org: 'Acme', owner: 'Bob Seller' };
    expect(await call('persons.create', { name: 'B', org: 'Acme', owner: 'me' })).toMatchObject({
      data: { org_id: acme, owner_id: 1 },
    });
    expect(await call('organizations.create', { name: 'B', owner: 'Bob Seller' })).toMatchObject({
      data: { owner_id: 2 },
    });
    expect(await call('activities.create', { subject: 'Call', org: 'Acme', person: String(ann) })).toMatchObject({
      data: { org_id: acme },
    });
    expect(await call('leads.create', lead)).toMatchObject({
      data: { person_id: ann, organization_id: acme, owner_id: 2 },
    });
    for (const list of ['persons.list', 'activities.list', 'leads.list'] as const) {
      expect(await call(list, { org: 'Acme' }), list).toMatchObject({ ok: true, data: [{}] });
    }
  });

  it('that are ambiguous are refused with the candidates and their ids (TOOL-007)', async () => {
    const outcome = await call('deals.create', { title: 'A', stage: 'Qualified' });
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      message:
        '"Qualified" names several stages: "Qualified" (pipeline "Pipeline"), id 1; "Qualified" (pipeline "Partners"), id 5. Give the id of one stage.',
    });
    await made('organizations.create', { name: 'ACME' });
    expect(await call('deals.create', { title: 'A', org: 'Acme' })).toMatchObject({
      reason: 'invalid_input',
      message: expect.stringContaining(`id ${String(acme)}`),
    });
  });

  it('find a stage in the given pipeline, and in that of the deal', async () => {
    const inSecond = await made('deals.create', { title: 'A', pipeline: 'Partners', stage: 'Qualified' });
    expect(await call('deals.get', { id: inSecond })).toMatchObject({ data: { stage_id: 5 } });
    const inFirst = await made('deals.create', { title: 'B' });
    expect(await call('deals.update', { id: inFirst, stage: 'Qualified' })).toMatchObject({ data: { stage_id: 1 } });
    const elsewhere = await call('deals.update', { id: inFirst, stage: 'Negotiations' });
    expect(elsewhere).toMatchObject({
      reason: 'not_found',
      message: expect.stringContaining('in the pipeline "Pipeline"'),
    });
    expect(elsewhere).toMatchObject({ message: expect.stringContaining('"Negotiations" (pipeline "Partners"), id 4') });
    expect(await call('deals.update', { id: inFirst, stage: 'Negotiations', pipeline: 'Partners' })).toMatchObject({
      data: { stage_id: 4 },
    });
  });

  it('that are part of one record mean it, whole words of it on a change, and the answer names it (TOOL-014)', async () => {
    const osteria = await made('organizations.create', { name: 'Osteria Francescana' });
    const remark = `"osteria" was taken for the organization "Osteria Francescana", id ${String(osteria)}.`;
    expect(await call('deals.create', { title: 'A', org: 'osteria' })).toMatchObject({
      data: { org_id: osteria },
      warnings: [remark],
    });
    expect(await call('deals.list', { org: 'Oster' })).toMatchObject({ data: [{ title: 'A' }], warnings: [{}] });
    expect(await call('deals.create', { title: 'A', org: 'Oster' })).toMatchObject({
      reason: 'not_found',
      inputErrors: [{ path: ['org'], nearest: 'Osteria Francescana' }],
    });
    await made('organizations.create', { name: 'Osteria Da Mario' });
    for (const name of ['deals.create', 'deals.list'] as const) {
      expect(await call(name, { ...(name === 'deals.create' ? { title: 'A' } : {}), org: 'Osteria' })).toMatchObject({
        reason: 'invalid_input',
        message: expect.stringContaining('names several organizations: "Osteria Francescana", id'),
      });
    }
    expect(await call('deals.create', { title: 'A', owner: 'Bob' })).toMatchObject({
      data: { owner_id: 2 },
      warnings: [{}],
    });
  });

  it('of two persons are settled by the organization, if it is given (TOOL-014)', async () => {
    const nordwind = await made('organizations.create', { name: 'Nordwind' });
    const anna = await made('persons.create', { name: 'Anna Schmidt', org_id: nordwind });
    const other = await made('persons.create', { name: 'Anna Schmidt', org_id: acme });
    const refused = await call('deals.create', { title: 'A', person: 'Anna Schmidt' });
    expect(refused).toMatchObject({
      reason: 'invalid_input',
      message: expect.stringContaining(`(Nordwind), id ${String(anna)}`),
    });
    expect(await call('deals.create', { title: 'A', person: 'Anna Schmidt', org: 'Nordwind' })).toMatchObject({
      data: { person_id: anna },
    });
    expect(await call('leads.create', { title: 'A', person: 'Anna', org: 'acme' })).toMatchObject({
      data: { person_id: other },
    });
    expect(await call('deals.list', { person: 'Anna Schmidt', org: 'Acme' })).toMatchObject({ ok: true, data: [] });
  });

  it('that are unknown are reported with the nearest and the existing ones', async () => {
    const stage = await call('deals.create', { title: 'A', stage: 'Negotiatons' });
    expect(stage).toMatchObject({
      ok: false,
      reason: 'not_found',
      inputErrors: [{ path: ['stage'], nearest: 'Negotiations' }],
    });
    expect(stage).toMatchObject({ message: expect.stringContaining('Did you mean "Negotiations"?') });
    expect(await call('deals.create', { title: 'A', org: 'Acmee' })).toMatchObject({
      message: 'There is no organization "Acmee". Did you mean "Acme"? Choose from the organizations "Acme".',
    });
    expect(await call('deals.create', { title: 'A', owner: 'Bob Sellar' })).toMatchObject({
      message: expect.stringContaining('Did you mean "Bob Seller"? Choose from the users'),
    });
  });

  it('are refused next to an id', async () => {
    const outcome = await call('deals.create', { title: 'A', stage: 'Qualified', stage_id: 1 });
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input', inputErrors: [{ path: ['stage'] }] });
  });

  it('find a stage that was created since the list was read', async () => {
    await made('deals.create', { title: 'A', stage: 'Negotiations' });
    await made('stages.create', { name: 'Signed', pipeline_id: 1 });
    expect(await call('deals.create', { title: 'B', stage: 'Signed' })).toMatchObject({
      ok: true,
      data: { stage_id: 6 },
    });
  });

  it('cause one request for each list now and then, and none for ids', async () => {
    const before = emulator.requests.length;
    await made('deals.create', { title: 'A', stage: '2', owner: 1 });
    expect(emulator.requests.length - before).toBe(1);
    await made('deals.create', { title: 'A', stage: 'Negotiations' });
    const known = emulator.requests.length;
    await made('deals.create', { title: 'B', stage: 'Negotiations' });
    expect(emulator.requests.length - known).toBe(1);
  });

  it('list pipelines with their stages', async () => {
    const outcome = await call('pipelines.overview', {});
    expect(outcome).toMatchObject({
      ok: true,
      data: [
        { name: 'Pipeline', stages: [{ id: 1, name: 'Qualified' }, { id: 2 }, { id: 3 }] },
        { name: 'Partners', stages: [{ id: 4, name: 'Negotiations' }, { id: 5 }] },
      ],
    });
    expect(await call('pipelines.overview', { fields: ['name', 'stages'] })).toMatchObject({
      data: [{ name: 'Pipeline', stages: [{}, {}, {}] }, {}],
    });
  });
});
