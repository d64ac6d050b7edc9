import { deepEqual, equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';

/** Tasks about the suite CRM. */
export const suiteTasks: readonly Task[] = [
  {
    id: 'suite-sums',
    mode: '?mode=catalogue',
    ask: 'Sum up our licence deals in the suite by stage, without the lost ones.',
    most: { calls: 2, tokens: 1_300 },
    act: async ({ use }) => {
      const found = await use('search_tools', { query: 'sum by a field', service: 'suite_crm', limit: 2 });
      const tool = found.find('tools', (one) => one.str('name') === 'suite_coql_query').str('name');
      const where = { field: 'Stage', operator: 'not_equal', value: 'Closed Lost' };
      const query = { select: ['Stage', 'SUM(Amount)'], from: 'Deals', where, group_by: ['Stage'] };
      return (await use('run_read_tool', { tool, arguments: { query } })).text;
    },
    holds: ({ suite }, answer) => {
      for (const stage of ['Qualification', 'Negotiation']) {
        const deals = suite.all('Deals').filter((deal) => deal['Stage'] === stage);
        says(answer, stage, String(deals.reduce((sum, deal) => sum + Number(deal['Amount']), 0)));
      }
    },
  },
  {
    id: 'suite-lead',
    ask: 'Mr Moreau of Heather Textiles buys: convert his lead in the suite, with a deal in Qualification until the end of next year.',
    most: { calls: 3, tokens: 1_500 },
    act: async ({ use, mistake }) => {
      const leads = await use('suite_search', { module: 'Leads', word: 'Moreau', fields: ['Last_Name', 'Company'] });
      const id = leads.find('data', (lead) => lead.str('Company').includes('Heather')).str('id');
      await mistake('suite_lead_convert', { id: 'Moreau' });
      const Deals = { Deal_Name: 'Heather Textiles', Stage: 'Qualification', Closing_Date: '2027-12-31' };
      await use('suite_lead_convert', { id, data: { Deals } });
      return 'Converted.';
    },
    holds: ({ suite }) => {
      const converted = suite.all('Leads').filter((lead) => lead['$converted'] === true);
      deepEqual(
        converted.map((lead) => [lead['Last_Name'], lead['Company']]),
        [['Moreau', 'Heather Textiles']],
      );
      equal(suite.all('Deals').at(-1)?.['Closing_Date'], '2027-12-31');
    },
  },
  {
    id: 'suite-second-page',
    ask: 'How many contacts does the suite have at Harbour Cranes?',
    most: { calls: 3, tokens: 2_500 },
    act: async ({ use }) => {
      const accounts = await use('suite_search', { module: 'Accounts', word: 'Harbour Cranes', fields: ['id'] });
      const criteria = { field: 'Account_Name', operator: 'equals', value: accounts.str('data.0.id') };
      const asked = { module: 'Contacts', criteria, fields: ['Last_Name'], per_page: 25 };
      const first = await use('suite_search', asked);
      const rest = await use('suite_search', { ...asked, page: first.str('pagination.next') });
      return `${first.list('data').length + rest.list('data').length} contacts`;
    },
    holds: ({ suite }, answer) => {
      const account = suite.all('Accounts').find((one) => one['Account_Name'] === 'Harbour Cranes');
      const there = suite.all('Contacts').filter((one) => Object(one['Account_Name']).id === account?.['id']);
      ok(there.length > 25 && there.length < 50);
      says(answer, `${there.length}`);
    },
  },
];
