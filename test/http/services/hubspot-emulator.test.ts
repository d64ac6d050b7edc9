import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { nameOf } from '#adapters/services/definitions/provider.ts';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { hubspotApp } from '#test/emulators/hubspot/oauth.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type Credentials, operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

type Name = keyof typeof operations;
type Input = Readonly<Record<string, unknown>>;

let emulator: HubSpotEmulator;
let http: HttpClient;
let kept: TokenRecord;
let call: (name: Name, input?: Input) => Promise<Outcome>;
let grants: HttpProviderGrants;

async function started(limits = {}): Promise<void> {
  emulator = await startHubSpotEmulator({ limits });
  http = new HttpClient(() => 0);
  const { url, authorizeUrl, tokenUrl } = emulator;
  const provider = salesCrmProvider({ dialect: 'hubspot', url, authorizeUrl, tokenUrl });
  if (provider.oauth === null) throw new Error('no OAuth');
  const app = { ...hubspotApp, scopes: null };
  grants = new HttpProviderGrants(
    new Map([['sales_crm', { name: nameOf(provider), facts: provider.oauth, app }]]),
    http,
    {
      now: Date.now,
    },
  );
  kept = tokenRecord('sales_crm', {
    accessToken: privateAppToken,
    authMethod: 'personal_token',
    extra: { portal_id: 62_515, user_id: 11, company_currency: 'EUR' },
  });
  const tokens: Credentials = {
    find: async () => ok(kept),
    renew: async (refused) => {
      const renewed = await grants.renew(refused);
      if (!renewed.ok) return err(failed('unauthorized', renewed.failure.message));
      kept = renewed.value;
      return ok(kept);
    },
  };
  const gateway = operationsOver({ providers: [provider], tokens, http });
  call = (name, input = {}) => gateway.call({ userId: 1, service: 'sales_crm', name, input });
}

beforeEach(() => started());
afterEach(async () => {
  http.close();
  await emulator.close();
});

async function made(name: Name, input: Input): Promise<unknown> {
  const outcome = await call(name, input);
  if (!outcome.ok || typeof outcome.data !== 'object' || outcome.data === null || !('id' in outcome.data)) {
    throw new Error(JSON.stringify(outcome));
  }
  return outcome.data.id;
}

/** The stages of the account’s first pipeline, by name; their ids at HubSpot are words. */
async function stageId(name: string): Promise<unknown> {
  const stages = await call('stages.list', { limit: 100 });
  const list: readonly unknown[] = stages.ok && Array.isArray(stages.data) ? stages.data : [];
  const found = list.find((one) => typeof one === 'object' && one !== null && 'name' in one && one.name === name);
  return typeof found === 'object' && found !== null && 'id' in found ? found.id : undefined;
}

describe('the sales CRM at HubSpot, over real sockets', () => {
  it.each<[string, Name, Name, Name, Name, Input, Input]>([
    [
      'a deal',
      'deals.create',
      'deals.get',
      'deals.update',
      'deals.delete',
      { title: 'Acme', value: 100.5 },
      { value: 7 },
    ],
    [
      'a person',
      'persons.create',
      'persons.get',
      'persons.update',
      'persons.delete',
      {
        name: 'Ann van Dam',
        emails: [
          { value: 'ann@example.com', primary: true },
          { value: 'dam@example.com', primary: false },
        ],
        phones: [{ value: '+44 1', label: 'work', primary: true }],
      },
      { name: 'Anna', emails: [] },
    ],
    [
      'an organization',
      'organizations.create',
      'organizations.get',
      'organizations.update',
      'organizations.delete',
      { name: 'Acme', address: { value: '1 High Street, Leeds' } },
      { address: { value: 'Park 2, 10115 Berlin', route: 'Park 2', postal_code: '10115', locality: 'Berlin' } },
    ],
    [
      'a task',
      'activities.create',
      'activities.get',
      'activities.update',
      'activities.delete',
      { subject: 'Offer', type: 'task', due_date: '2026-12-01', due_time: '09:30', done: false, note: '<b>Soon</b>' },
      { done: true, due_time: '10:00' },
    ],
    [
      'a call',
      'activities.create',
      'activities.get',
      'activities.update',
      'activities.delete',
      { subject: 'Offer', type: 'call', done: true, duration: '00:20' },
      { duration: '01:05' },
    ],
    [
      'a meeting',
      'activities.create',
      'activities.get',
      'activities.update',
      'activities.delete',
      {
        subject: 'Offer',
        type: 'meeting',
        due_date: '2026-12-01',
        due_time: '09:30',
        duration: '01:30',
        location: { value: 'Leeds' },
      },
      { due_date: '2026-12-02', duration: '01:30' },
    ],
  ])('creates, gets, changes and deletes %s (HUBSPOT-001)', async (_, create, get, update, remove, input, change) => {
    const id = await made(create, { ...input, owner_id: 21 });
    expect(await call(get, { id })).toMatchObject({ ok: true, data: { ...input, id, owner_id: 21 } });
    expect(await call(update, { id, ...change })).toMatchObject({ ok: true, data: { ...change, id, owner_id: 21 } });
    expect(await call(remove, { id })).toMatchObject({ ok: true, data: { id } });
    expect(await call(get, { id })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('keeps a meeting’s duration when it is moved, and the day of a task whose time is changed', async () => {
    const meeting = await made('activities.create', {
      subject: 'A',
      type: 'meeting',
      due_date: '2026-12-01',
      due_time: '09:30',
      duration: '01:30',
    });
    expect(await call('activities.update', { id: meeting, due_date: '2026-12-03' })).toMatchObject({
      data: { due_date: '2026-12-03', due_time: '09:30', duration: '01:30' },
    });
    const task = await made('activities.create', { subject: 'A', due_date: '2026-12-01', due_time: '09:30' });
    expect(await call('activities.update', { id: task, due_time: '11:00' })).toMatchObject({
      data: { due_date: '2026-12-01', due_time: '11:00' },
    });
    expect(await call('activities.update', { id: task, type: 'meeting' })).toMatchObject({
      ok: false,
      reason: 'rejected',
    });
  });

  it('reads and replaces what a record is associated with', async () => {
    const [acme, bolt] = [
      await made('organizations.create', { name: 'Acme' }),
      await made('organizations.create', { name: 'Bolt' }),
    ];
    const ann = await made('persons.create', { name: 'Ann', org_id: acme });
    const deal = await made('deals.create', { title: 'A', person_id: ann, org_id: acme });
    expect(await call('persons.get', { id: ann })).toMatchObject({ data: { org_id: acme } });
    expect(await call('deals.get', { id: deal })).toMatchObject({ data: { person_id: ann, org_id: acme } });
    expect(await call('deals.update', { id: deal, org_id: bolt })).toMatchObject({
      data: { person_id: ann, org_id: bolt },
    });
    for (const [name, input] of [
      ['deals.list', { person_id: ann }],
      ['deals.list', { org_id: bolt }],
    ] as const) {
      expect(await call(name, input)).toMatchObject({ data: [{ id: deal, person_id: ann, org_id: bolt }] });
    }
    expect(await call('deals.list', { org_id: acme })).toMatchObject({ data: [] });
    expect(await call('persons.list', { deal_id: deal })).toMatchObject({ data: [{ id: ann }] });
  });

  it('lists a new stage at once, though pipelines are asked for once a minute (HUBSPOT-003)', async () => {
    const before = await call('stages.list', { pipeline_id: 7001 });
    expect(before).toMatchObject({ data: [{ name: 'First talk' }, { name: 'Signed' }] });
    await call('stages.create', { name: 'Second talk', pipeline_id: 7001, deal_probability: 40 });
    expect(await call('stages.list', { pipeline_id: 7001 })).toMatchObject({
      data: [{ name: 'First talk' }, { name: 'Signed' }, { name: 'Second talk' }],
    });
  });

  it('has numbers for stages whose ids are words, the same for reading, filtering and moving (HUBSPOT-003)', async () => {
    const [first, sent] = [await stageId('Appointment Scheduled'), await stageId('Contract Sent')];
    const id = await made('deals.create', { title: 'A' });
    expect(await call('deals.get', { id })).toMatchObject({
      data: { stage_id: first, status: 'open', probability: 20 },
    });
    expect(await call('deals.update', { id, stage: 'contract sent' })).toMatchObject({ data: { stage_id: sent } });
    expect(emulator.store.get('deals', String(id))?.properties['dealstage']).toBe('contractsent');
    expect(await call('deals.list', { stage_id: sent })).toMatchObject({ data: [{ id }] });
    expect(await call('deals.list', { stage_id: first })).toMatchObject({ data: [] });
    expect(await call('deals.list', { stage_id: 4 })).toMatchObject({ ok: false, reason: 'invalid_input' });
    expect(await call('pipelines.overview')).toMatchObject({
      data: [
        { name: 'Sales Pipeline', stages: [{ name: 'Appointment Scheduled' }, {}, {}, {}, {}] },
        { name: 'Partners', id: 7001, stages: [{ name: 'First talk', id: 7002, deal_probability: 10 }, { id: 7003 }] },
      ],
    });
  });

  it('wins, loses and reopens a deal by moving it to a stage of that status (HUBSPOT-004)', async () => {
    const id = await made('deals.create', { title: 'A' });
    const closed = { status: 'won', won_time: '2026-11-20 10:00:00' };
    expect(await call('deals.update', { id, ...closed })).toMatchObject({
      data: {
        status: 'won',
        probability: 100,
        close_time: '2026-11-20T10:00:00.000Z',
        stage_id: await stageId('Closed Won'),
      },
    });
    expect(await call('deals.list', { status: 'won' })).toMatchObject({ data: [{ id }] });
    expect(await call('deals.list', { status: 'open' })).toMatchObject({ data: [] });
    expect(await call('deals.update', { id, status: 'lost', lost_reason: 'Price' })).toMatchObject({
      data: { status: 'lost', lost_reason: 'Price' },
    });
    expect(await call('deals.update', { id, status: 'open' })).toMatchObject({ data: { status: 'open' } });
    expect(await call('deals.update', { id, pipeline_id: 7001 })).toMatchObject({ data: { stage_id: 7002 } });
    expect(await call('deals.update', { id, status: 'lost' })).toMatchObject({ ok: false, reason: 'invalid_input' });
    expect(await call('deals.update', { id, status: 'won', stage_id: 7002 })).toMatchObject({
      reason: 'invalid_input',
    });
  });

  it('converts custom properties by their types, and reads the named ones (HUBSPOT-002)', async () => {
    for (const [name, type, field] of [
      ['size', 'number', 'number'],
      ['is_partner', 'bool', 'booleancheckbox'],
      ['since', 'date', 'date'],
      ['tags', 'enumeration', 'checkbox'],
      ['tier', 'enumeration', 'select'],
    ] as const) {
      emulator.store.define('deals', name, type, field);
    }
    const custom_fields = { size: 7, is_partner: true, since: '2026-01-31', tags: ['a', 'b'], tier: 'gold' };
    const id = await made('deals.create', { title: 'A', custom_fields });
    expect(await call('deals.get', { id })).toMatchObject({ data: { custom_fields } });
    const stored = emulator.store.get('deals', String(id))?.properties;
    expect(stored).toMatchObject({ size: '7', is_partner: 'true', tags: 'a;b' });
    expect(await call('deals.update', { id, custom_fields: { tier: null } })).toMatchObject({
      data: { custom_fields: { size: 7 } },
    });
    const some = await call('deals.get', { id, custom_fields: ['size'] });
    expect(some.ok && some.data).toHaveProperty('custom_fields', { size: 7 });
    expect(await call('deals.update', { id, custom_fields: { unknown: 'x' } })).toMatchObject({
      ok: false,
      reason: 'rejected',
      message: expect.stringContaining('Property "unknown" does not exist'),
    });
  });

  it('refuses inputs that it has no place for, and reports those that only change what is shown (HUBSPOT-006)', async () => {
    expect(await call('deals.create', { title: 'A', visible_to: 3 })).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      message: expect.stringContaining('`visible_to` has no equivalent at HubSpot'),
    });
    expect(await call('deals.list', { filter_id: 3 })).toMatchObject({ ok: false, reason: 'invalid_input' });
    expect(await call('deals.list', { include_labels: true })).toMatchObject({
      ok: true,
      warnings: [expect.any(String)],
    });
    expect(emulator.store.all('deals')).toHaveLength(0);
  });

  it('lists page by page, each record once, and searches where conditions are given (HUBSPOT-005)', async () => {
    const ids: unknown[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await made('deals.create', { title: `Deal ${count}` }));
    for (const input of [{}, { status: 'open' }, { sort_by: 'id', sort_direction: 'asc' }]) {
      const seen: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page: Outcome = await call('deals.list', {
          limit: 2,
          fields: ['id'],
          ...input,
          ...(cursor === null ? {} : { cursor }),
        });
        if (!page.ok || !Array.isArray(page.data)) throw new Error(JSON.stringify(page));
        seen.push(...page.data);
        cursor = page.pagination?.next ?? null;
      } while (cursor !== null);
      expect(seen).toEqual(ids.map((id) => ({ id })));
    }
    emulator.searchBounds.last = 10_000;
    const paths = emulator.requests.map(({ path }) => path);
    expect(paths).toContain('/crm/objects/2026-03/0-3');
    expect(paths).toContain('/crm/objects/2026-03/0-3/search');
  });

  it('searches by text, by field, exactly, and over all types with one cursor', async () => {
    const acme = await made('organizations.create', { name: 'Acme' });
    const ann = await made('persons.create', {
      name: 'Ann van Dam',
      org_id: acme,
      emails: [{ value: 'ann@acme.example', primary: true }],
    });
    const deal = await made('deals.create', { title: 'Acme: 20 licences', value: 9, org_id: acme });
    await made('deals.create', { title: 'Acme: 30 licences' });
    expect(await call('deals.search', { term: '20 licences' })).toMatchObject({
      data: [
        {
          item: {
            type: 'deal',
            title: 'Acme: 20 licences',
            status: 'open',
            value: 9,
            organization: { id: acme },
            id: deal,
          },
        },
      ],
    });
    expect(await call('persons.search', { term: 'ann van dam', exact_match: true, fields: ['name'] })).toMatchObject({
      data: [{ item: { id: ann, emails: ['ann@acme.example'] } }],
    });
    expect(await call('persons.search', { term: 'ann', exact_match: true })).toMatchObject({ data: [] });
    expect(await call('persons.search', { term: 'ann@acme.example', fields: ['email'] })).toMatchObject({
      data: [{ item: { id: ann } }],
    });
    expect(await call('organizations.search', { term: 'ACME', exact_match: true })).toMatchObject({
      data: [{ item: { id: acme } }],
    });
    expect(await call('persons.search', { term: 'an dam', fields: ['name'] })).toMatchObject({
      data: [{ item: { id: ann } }],
    });
    expect(await call('persons.search', { term: 'dam', fields: ['name'] })).toMatchObject({
      data: [{ item: { id: ann } }],
    });
    expect(await call('organizations.search', { term: 'cm', fields: ['name'] })).toMatchObject({
      data: [{ item: { id: acme } }],
    });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Outcome = await call('items.search', {
        term: 'acme',
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      if (!page.ok || !Array.isArray(page.data)) throw new Error(JSON.stringify(page));
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map((hit) => JSON.stringify(hit.item.id)));
      cursor = page.pagination?.next ?? null;
    } while (cursor !== null);
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(4);
  });
});
