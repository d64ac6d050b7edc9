import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { type Credentials, operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

const customField = '3d0fa3429dfa2d3dec265b4fc5dc8258ab66cdf3';
const pagination = { next: null, hasMore: false };

// What each tool answers, as its published schema has it: over real sockets, in the neutral dialect and in the vendor's.
describe.each(['neutral', 'pipedrive'] as const)('the answers of the sales CRM tools, in the %s dialect', (dialect) => {
  let emulator: SalesCrmEmulator;
  let http: HttpClient;
  let call: ReturnType<typeof documentedTools>;

  beforeEach(async () => {
    emulator = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
    http = new HttpClient(() => 0);
    const { url, authorizeUrl, tokenUrl } = emulator;
    const provider = salesCrmProvider({ dialect, url, authorizeUrl, tokenUrl });
    const tokens: Credentials = onlyTokens(tokenRecord('sales_crm', { accessToken: personalToken }));
    call = documentedTools(provider, operationsOver({ providers: [provider], tokens, http }));
    await call('sales_crm_org_create', { name: 'Acme', address: { value: '1 High Street, Leeds' } });
    await call('sales_crm_person_create', { name: 'Ann', org_id: 1, emails: [{ value: 'ann@acme.example' }] });
    await call('sales_crm_deal_create', { title: 'Twenty licences', value: 100.5, person_id: 1, org_id: 1 });
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  const isText = expect.any(String);
  const deal = {
    title: 'Twenty licences',
    status: 'open',
    value: 100.5,
    currency: 'EUR',
    add_time: isText,
    update_time: isText,
    person_id: 1,
    org_id: 1,
    pipeline_id: 1,
    stage_id: 1,
    owner_id: 1,
    id: 1,
  };
  const person = { name: 'Ann', emails: [{ value: 'ann@acme.example' }], phones: [], org_id: 1, owner_id: 1, id: 1 };
  const organization = { name: 'Acme', address: { value: '1 High Street, Leeds' }, owner_id: 1, id: 1 };

  it.each([
    ['sales_crm_deal_get', { id: 1 }, deal],
    ['sales_crm_deal_create', { title: 'B' }, { title: 'B', status: 'open', value: 0, id: 2 }],
    ['sales_crm_deal_update', { id: 1, status: 'won' }, { ...deal, status: 'won' }],
    ['sales_crm_person_get', { id: 1 }, person],
    ['sales_crm_person_create', { name: 'Bob' }, { name: 'Bob', emails: [], id: 2 }],
    [
      'sales_crm_person_update',
      { id: 1, phones: [{ value: '+44 113 4960 000', primary: true, label: 'work' }] },
      { ...person, phones: [{ value: '+44 113 4960 000', label: 'work', primary: true }] },
    ],
    ['sales_crm_org_get', { id: 1 }, organization],
    ['sales_crm_org_create', { name: 'Bolt' }, { name: 'Bolt', id: 2 }],
    [
      'sales_crm_activity_create',
      { subject: 'Call Ann', due_date: '2026-12-01', due_time: '09:30', deal_id: 1, location: { value: 'Leeds' } },
      { subject: 'Call Ann', type: 'call', done: false, due_date: '2026-12-01', due_time: '09:30', deal_id: 1, id: 1 },
    ],
    [
      'sales_crm_lead_create',
      { title: 'Forty more', person_id: 1, value: { amount: 200, currency: 'EUR' } },
      { title: 'Forty more', value: { amount: 200, currency: 'EUR' }, is_archived: false, person_id: 1, id: isText },
    ],
  ])('are a record from %s (%j)', async (tool, args, record) => {
    const { texts, content } = await call(tool, args);
    expect(content).toMatchObject(record);
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it.each([
    ['sales_crm_deals_list', {}, [deal]],
    ['sales_crm_deals_list', { fields: ['title'] }, [{ title: 'Twenty licences' }]],
    ['sales_crm_persons_list', { org_id: 1 }, [person]],
    ['sales_crm_orgs_list', {}, [organization]],
    ['sales_crm_activities_list', { deal_id: 1 }, []],
    ['sales_crm_pipelines_list', {}, [{ name: 'Pipeline', is_deal_probability_enabled: false, id: 1 }]],
    ['sales_crm_leads_list', {}, []],
  ])('are a page of records from %s (%j)', async (tool, args, records) => {
    const { texts, content } = await call(tool, args);
    expect(content).toMatchObject({ data: records, pagination });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('list what was created, and continue where a page ends', async () => {
    await call('sales_crm_deal_create', { title: 'B' });
    await call('sales_crm_activity_create', { subject: 'Call Ann', note: '<b>Soon</b>', deal_id: 1 });
    await call('sales_crm_lead_create', { title: 'Forty more', organization_id: 1 });
    const first = await call('sales_crm_deals_list', { limit: 1 });
    expect(first.content).toMatchObject({ data: [{ id: 1 }], pagination: { next: isText, hasMore: true } });
    expect(await call('sales_crm_activities_list', { deal_id: 1 })).toMatchObject({
      texts: [isText],
      content: { data: [{ subject: 'Call Ann', note: '<b>Soon</b>', deal_id: 1, id: 1 }] },
    });
    expect(await call('sales_crm_leads_list')).toMatchObject({
      texts: [isText],
      content: { data: [{ title: 'Forty more', organization_id: 1, id: isText }] },
    });
  });

  it('include the whole target from sales_crm_goals_list', async () => {
    emulator.records.create('goal', {
      title: 'Q1',
      type: { name: 'deals_won', params: { pipeline_id: [1] } },
      assignee: { id: 1, type: 'person' },
      expected_outcome: { target: 50, tracking_metric: 'quantity' },
      duration: { start: '2026-01-01' },
      interval: 'quarterly',
    });
    const { texts, content } = await call('sales_crm_goals_list');
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    expect(content).toMatchObject({
      data: [{ title: 'Q1', expected_outcome: { target: 50 }, duration: {}, interval: 'quarterly', id: isText }],
    });
  });

  it('are records of all kinds from sales_crm_search, with what they belong to', async () => {
    const { texts, content } = await call('sales_crm_search', { term: 'twenty' });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    expect(content).toMatchObject({
      data: [
        {
          item: {
            type: 'deal',
            title: 'Twenty licences',
            status: 'open',
            value: 100.5,
            stage: { name: 'Qualified', id: 1 },
            person: { name: 'Ann', id: 1 },
            organization: { name: 'Acme', id: 1 },
            id: 1,
          },
          result_score: 1,
        },
      ],
      pagination,
    });
  });

  it('include related records from sales_crm_search in the same list, after the matches', async () => {
    const { texts, content } = await call('sales_crm_search', {
      term: 'acme',
      search_for_related_items: true,
      item_types: ['organization'],
    });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    expect(content).toMatchObject({
      data: [
        { item: { type: 'organization', name: 'Acme' } },
        { item: { type: 'deal', title: 'Twenty licences' }, is_related: true },
        { item: { type: 'person', name: 'Ann', emails: ['ann@acme.example'] }, is_related: true },
      ],
      pagination,
    });
    expect(Object(content).data[0]).not.toHaveProperty('is_related');
  });

  it('include custom fields with their record, next to the others or inside', async () => {
    const { content } = await call('sales_crm_deal_update', { id: 1, [customField]: 'gold' });
    const where = dialect === 'neutral' ? { [customField]: 'gold' } : { custom_fields: { [customField]: 'gold' } };
    expect(content).toMatchObject({ title: 'Twenty licences', ...where });
  });

  it('report what is undocumented, and have it in the text only', async () => {
    emulator.records.update('deal', '1', { value: 'a hundred', person_id: { name: 'Ann', value: 1 } });
    const { texts, content } = await call('sales_crm_deal_get', { id: 1 });
    expect(content).toMatchObject({ title: 'Twenty licences', status: 'open', id: 1 });
    expect(content).not.toHaveProperty('value');
    expect(content).not.toHaveProperty('person_id');
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ value: 'a hundred', person_id: { name: 'Ann', value: 1 } });
    expect(texts.slice(1)).toEqual([
      '`value` came as text where a number is documented; it is in this text only.',
      '`person_id` came as an object where a number or text is documented; it is in this text only.',
    ]);
  });
});
