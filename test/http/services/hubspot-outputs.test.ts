import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

// What each tool answers at HubSpot, as its published schema has it: over real sockets.
describe('the answers of the sales CRM tools at HubSpot', () => {
  let emulator: HubSpotEmulator;
  let http: HttpClient;
  let call: ReturnType<typeof documentedTools>;

  beforeEach(async () => {
    emulator = await startHubSpotEmulator({ limits: { searches: 100 } });
    http = new HttpClient(() => 0);
    const provider = salesCrmProvider({ dialect: 'hubspot', url: emulator.url });
    const record = tokenRecord('sales_crm', { authMethod: 'personal_token', accessToken: privateAppToken, extra: {} });
    call = documentedTools(provider, operationsOver({ providers: [provider], tokens: onlyTokens(record), http }));
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  /** An answer that is as documented: nothing is said apart from the JSON of it. */
  const asDocumented = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { texts, content } = await call(tool, args);
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    return content ?? {};
  };
  const idOf = (content: Readonly<Record<string, unknown>>) => content['id'];

  it('are records and pages of them, for what is written and read', async () => {
    const org = idOf(await asDocumented('sales_crm_org_create', { name: 'Acme', address: { value: '1 High Street' } }));
    const emails = [{ value: 'ann@acme.example', primary: true }];
    const person = idOf(await asDocumented('sales_crm_person_create', { name: 'Ann Bell', org_id: org, emails }));
    const made = { title: 'Twenty licences', value: 100.5, person_id: person, org_id: org, owner: 'Ann Admin' };
    const deal = idOf(await asDocumented('sales_crm_deal_create', made));
    const known = {
      title: 'Twenty licences',
      status: 'open',
      value: 100.5,
      person_id: person,
      org_id: org,
      owner_id: 21,
    };
    expect(await asDocumented('sales_crm_deal_get', { id: deal })).toMatchObject({ ...known, id: deal });
    expect(await asDocumented('sales_crm_deal_update', { id: deal, status: 'won' })).toMatchObject({ status: 'won' });
    expect(await asDocumented('sales_crm_person_get', { id: person })).toMatchObject({
      name: 'Ann Bell',
      emails,
      org_id: org,
    });
    const phones = [{ value: '+44 1', label: 'work', primary: true }];
    expect(await asDocumented('sales_crm_person_update', { id: person, phones })).toMatchObject({ phones });
    expect(await asDocumented('sales_crm_org_get', { id: org })).toMatchObject({ address: { value: '1 High Street' } });
    const activity = { subject: 'Call Ann', type: 'call', due_date: '2026-12-01', due_time: '09:30', deal_id: deal };
    expect(await asDocumented('sales_crm_activity_create', activity)).toMatchObject({ ...activity, done: false });
    const lead = await asDocumented('sales_crm_lead_create', { title: 'Forty more', person: 'ann@acme.example' });
    expect(lead).toMatchObject({ title: 'Forty more', person_id: person, id: expect.any(String) });
    for (const [tool, args, one] of [
      ['sales_crm_deals_list', { org: 'Acme' }, { id: deal }],
      ['sales_crm_deals_list', { fields: ['title'] }, { title: 'Twenty licences' }],
      ['sales_crm_persons_list', { org_id: org }, { id: person }],
      ['sales_crm_orgs_list', {}, { id: org }],
      ['sales_crm_activities_list', { deal_id: deal }, { subject: 'Call Ann', deal_id: deal }],
      ['sales_crm_leads_list', {}, { title: 'Forty more', person_id: person }],
    ] as const) {
      expect(await asDocumented(tool, args)).toMatchObject({ data: [one] });
    }
  });

  it('are pipelines with their stages, and goals', async () => {
    emulator.store.create('goal_targets', {
      hs_goal_name: 'Q1',
      hs_target_amount: '50',
      hs_start_datetime: '2026-01-01T00:00:00Z',
    });
    expect(await asDocumented('sales_crm_goals_list')).toMatchObject({
      data: [
        { title: 'Q1', expected_outcome: { target: 50 }, duration: { start: '2026-01-01' }, id: expect.any(String) },
      ],
    });
    expect(await asDocumented('sales_crm_pipelines_list')).toMatchObject({
      data: [
        { name: 'Sales Pipeline', stages: [{ name: 'Appointment Scheduled', deal_probability: 20 }, {}, {}, {}, {}] },
        {},
      ],
    });
  });

  it('are hits of all types of record', async () => {
    await call('sales_crm_org_create', { name: 'Acme' });
    await call('sales_crm_person_create', { name: 'Ann', emails: [{ value: 'ann@acme.example' }] });
    await call('sales_crm_deal_create', { title: 'Acme: 20 licences', value: 9 });
    expect(await asDocumented('sales_crm_search', { term: 'acme' })).toMatchObject({
      data: [
        { item: { type: 'deal', title: 'Acme: 20 licences', value: 9, stage: { name: 'Appointment Scheduled' } } },
        { item: { type: 'person', name: 'Ann', emails: ['ann@acme.example'] } },
        { item: { type: 'organization', name: 'Acme' } },
      ],
      pagination: { next: null, hasMore: false },
    });
  });

  it('end a search where HubSpot does, and say so (HUBSPOT-005)', async () => {
    for (let count = 0; count < 10_001; count += 1) emulator.store.create('contacts', { firstname: `P${count}` });
    const args = { sort_by: 'id', sort_direction: 'asc', limit: 200, fields: ['name'] };
    const last = await call('sales_crm_persons_list', { ...args, cursor: '9800' });
    expect(last.content).toMatchObject({ pagination: { next: null, hasMore: false } });
    expect(last.texts.join(' ')).toContain('ends after 10,000 records');
    const before = await call('sales_crm_persons_list', { ...args, cursor: '9600' });
    expect(before.content).toMatchObject({ pagination: { next: '9800', hasMore: true } });
    // A list without conditions has no such end.
    const whole = await call('sales_crm_persons_list', {
      limit: 100,
      cursor: String(emulator.store.all('contacts')[9_990]?.id),
    });
    expect(whole.content).toMatchObject({ pagination: { next: null } });
    expect(whole.texts.join(' ')).not.toContain('10,000');
  });
});
