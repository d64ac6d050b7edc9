import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, openHarness } from '#test/emulators/suite-crm/through-gateway.ts';
import { withoutNulls } from '#test/support/mcp/documented-tools.ts';

const id = z.object({ data: z.tuple([z.object({ details: z.object({ id: z.string() }) })]) });

// What each tool answers, as its published schema has it: over real sockets, in the neutral dialect and in the vendor's.
describe.each(['neutral', 'zoho'] as const)('the answers of the suite CRM tools, in the %s dialect', (dialect) => {
  let harness: Harness;
  let lead: string;
  let deal: string;

  const made = async (module: string, data: object) =>
    id.parse((await harness.tool('suite_record_create', { module, data })).content).data[0].details.id;

  beforeEach(async () => {
    harness = await openHarness({ dialect });
    lead = await made('Leads', { Last_Name: 'Burns', Company: 'Acme', Email: 'b@acme.example' });
    deal = await made('Deals', { Deal_Name: 'Big', Stage: 'New', Amount: 12.5, Closing_Date: '2026-12-01' });
  });
  afterEach(() => harness.close());

  /** An answer that is as documented: nothing is said apart from the JSON of it. */
  const asDocumented = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { texts, content } = await harness.tool(tool, args);
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    return content;
  };

  it('are a page of records from suite_record_list', async () => {
    const content = await asDocumented('suite_record_list', { module: 'Deals' });
    expect(content).toMatchObject({ data: [{ Deal_Name: 'Big', Stage: 'New', Amount: 12.5, id: deal }] });
    expect(content).toMatchObject({ pagination: { next: null, hasMore: false } });
  });

  it('are the requested fields from suite_record_list, with the next page', async () => {
    await made('Leads', { Last_Name: 'Ng' });
    const content = await asDocumented('suite_record_list', { module: 'Leads', fields: ['Last_Name'], per_page: 1 });
    expect(content).toMatchObject({ data: [{ Last_Name: 'Ng' }], pagination: { next: '2', hasMore: true } });
  });

  it('are an empty page from suite_record_list if there is nothing', async () => {
    const content = await asDocumented('suite_record_list', { module: 'Cases' });
    expect(content).toEqual({ data: [], pagination: { next: null, hasMore: false } });
  });

  it('are a record from suite_record_get, its name before its owner, then its id', async () => {
    const content = await asDocumented('suite_record_get', { module: 'Deals', id: deal });
    expect(Object.keys(content ?? {}).slice(0, 4)).toEqual(['Deal_Name', 'Stage', 'Amount', 'Closing_Date']);
    expect(content).toMatchObject({ id: deal, Owner: { name: 'Ada Owner' } });
  });

  it('are one for each record from suite_record_create', async () => {
    const content = await asDocumented('suite_record_create', { module: 'Leads', data: [{ Last_Name: 'Ng' }] });
    expect(content).toMatchObject({
      data: [{ status: 'success', code: 'SUCCESS', details: { id: expect.any(String) } }],
    });
  });

  it('are also one for each refused record from suite_record_create', async () => {
    const data = [{ Last_Name: 'Ng' }, { Company: 'C' }];
    const { texts, content } = await harness.tool('suite_record_create', { module: 'Leads', data });
    expect(content).toMatchObject({
      data: [{ status: 'success' }, { status: 'error', details: { api_name: 'Last_Name' } }],
    });
    expect(texts.slice(1)).toEqual([expect.stringContaining('Warning: Record 2 of 2 was refused')]);
  });

  it.each([
    ['suite_record_update', { data: { City: 'Bern' } }],
    ['suite_note_create', { text: 'Called' }],
  ])('are the time and the id from %s', async (tool, args) => {
    const content = await asDocumented(tool, { module: 'Leads', id: lead, ...args });
    expect(content).toMatchObject({ id: expect.any(String), Modified_Time: expect.any(String) });
  });

  it('are the id from suite_record_delete', async () => {
    expect(await asDocumented('suite_record_delete', { module: 'Leads', id: lead })).toEqual({ id: lead });
  });

  it('are a page of records from suite_search', async () => {
    const content = await asDocumented('suite_search', { module: 'Leads', email: 'b@acme.example' });
    expect(content).toMatchObject({ data: [{ Company: 'Acme', id: lead }], pagination: { hasMore: false } });
  });

  it('are the selected rows from suite_coql_query', async () => {
    const query = { select: ['Deal_Name', 'Amount'], from: 'Deals' };
    const content = await asDocumented('suite_coql_query', { query, limit: 1 });
    expect(content).toMatchObject({ data: [{ Deal_Name: 'Big', Amount: 12.5 }], pagination: { hasMore: false } });
  });

  it('are sums from suite_coql_query', async () => {
    const content = await asDocumented('suite_coql_query', { query: { select: ['SUM(Amount)'], from: 'Deals' } });
    expect(content).toMatchObject({ data: [{ 'SUM(Amount)': 12.5 }] });
  });

  it('are the new records from suite_lead_convert', async () => {
    const Deals = { Deal_Name: 'Acme, first', Closing_Date: '2026-12-01', Stage: 'New' };
    const content = await asDocumented('suite_lead_convert', { id: lead, data: { Deals } });
    expect(content).toMatchObject({
      Contacts: { name: 'Burns' },
      Accounts: { name: 'Acme' },
      Deals: { name: 'Acme, first', id: expect.any(String) },
    });
  });

  it('are a page of notes from suite_notes_list', async () => {
    await harness.tool('suite_note_create', { module: 'Leads', id: lead, text: 'Called', title: 'First' });
    const content = await asDocumented('suite_notes_list', { module: 'Leads', id: lead });
    expect(content).toMatchObject({ data: [{ Note_Title: 'First', Note_Content: 'Called' }] });
  });

  it('are the remaining tags from suite_tag_add and suite_tag_remove', async () => {
    const at = { module: 'Leads', id: lead };
    expect(await asDocumented('suite_tag_add', { ...at, tags: ['vip', 'q3'] })).toMatchObject({ tags: ['vip', 'q3'] });
    expect(await asDocumented('suite_tag_remove', { ...at, tags: ['q3'] })).toEqual({ tags: ['vip'], id: lead });
  });

  it('are names and API names from suite_modules_list', async () => {
    const content = await asDocumented('suite_modules_list');
    expect(content).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ plural_label: 'Sales Orders', api_name: 'Sales_Orders' }),
      ]),
    });
  });

  it('are types and mandatory fields from suite_fields_list', async () => {
    const content = await asDocumented('suite_fields_list', { module: 'Deals' });
    expect(content).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ api_name: 'Stage', data_type: 'picklist', system_mandatory: true }),
        expect.objectContaining({ api_name: 'Account_Name', lookup: { module: { api_name: 'Accounts' } } }),
      ]),
    });
  });

  it('are a page of users from suite_users_list', async () => {
    const content = await asDocumented('suite_users_list');
    expect(content).toMatchObject({ data: [{ full_name: 'Ada Owner', status: 'active', role: { name: 'CEO' } }, {}] });
  });

  it('have undocumented data in the text only, which says so', async () => {
    harness.emulator.failNext({ status: 200, body: { data: [{ id: deal, Amount: 'much', Stage: 'New' }] } });
    const { texts, content } = await harness.tool('suite_record_get', { module: 'Deals', id: deal });
    expect(content).toEqual({ Stage: 'New', id: deal });
    expect(texts).toEqual([
      JSON.stringify({ Stage: 'New', Amount: 'much', id: deal }),
      '`Amount` came as text where a number is documented; it is in this text only.',
    ]);
  });
});
