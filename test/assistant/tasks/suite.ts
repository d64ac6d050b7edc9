import { deepEqual, equal } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';

/** Tasks about the suite CRM. */
export const suiteTasks: readonly Task[] = [
  {
    id: 'suite-sums',
    ask: 'Sum up our licence deals in the suite by stage, without the lost ones.',
    most: { calls: 1, tokens: 300 },
    act: async ({ use }) => {
      const where = { field: 'Stage', operator: 'not_equal', value: 'Closed Lost' };
      const sums = await use('suite_coql_query', {
        query: { select: ['Stage', 'SUM(Amount)'], from: 'Deals', where, group_by: ['Stage'] },
      });
      return sums.text;
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
];
