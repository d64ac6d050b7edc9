import { deepEqual, equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import { day } from '#test/assistant/world/company.ts';
import type { World } from '#test/assistant/world/world.ts';

const deal = ({ sales }: Pick<World, 'sales'>, id: number) => sales.find('deal', String(id));
const activitiesOf = ({ sales }: World, dealId: number) =>
  sales.all('activity').filter((activity) => activity['deal_id'] === dealId);

/** Tasks about the sales CRM. */
export const salesTasks: readonly Task[] = [
  {
    id: 'deal-stage',
    ask: 'Harbour Cranes want the pilot. Move that deal to “Proposal made” and plan a call with them tomorrow at 10:00 UTC.',
    most: { calls: 3, tokens: 800 },
    act: async ({ use }) => {
      const hits = await use('sales_crm_search', { term: 'Harbour Cranes', item_types: ['deal'] });
      const id = hits.find('data', (hit) => hit.str('item.title').endsWith('Pilot')).at('item.id');
      await use('sales_crm_deal_update', { id, stage: 'Proposal made' });
      await use('sales_crm_activity_create', {
        subject: 'Call about the pilot',
        type: 'call',
        deal_id: id,
        due_date: day(1),
        due_time: '10:00',
      });
      return 'Moved, and the call is planned.';
    },
    holds: (world) => {
      equal(deal(world, 6)?.['stage_id'], 2);
      equal(deal(world, 46)?.['stage_id'], 1);
      const [, planned, ...more] = activitiesOf(world, 6);
      deepEqual([planned?.['due_date'], planned?.['due_time'], more.length], [day(1), '10:00', 0]);
    },
  },
  {
    id: 'overdue-activities',
    awaits: 'daily notes where the notes app has them',
    ask: 'List my overdue activities in today’s note, under Tasks.',
    most: { calls: 3, tokens: 2_000 },
    act: async ({ use }) => {
      const open = await use('sales_crm_activities_list', {
        owner: 'me',
        done: false,
        limit: 100,
        fields: ['subject', 'due_date'],
      });
      const late = open.list('data').filter((activity) => activity.str('due_date') < day(0));
      const today = await use('vault_periodic_read', { period: 'daily', format: 'note' });
      const content = late.map((activity) => `- [ ] ${activity.str('subject')}`).join('\n');
      await use('vault_note_patch', { path: today.str('path'), target: 'Tasks', content });
      return `${late.length} are overdue.`;
    },
    holds: ({ sales, notes }) => {
      const late = sales
        .all('activity')
        .filter((one) => one['owner_id'] === 1 && one['done'] === false && String(one['due_date']) < day(0));
      const section = notes.section(`${day(0)}.md`, '## Tasks');
      says(section, ...late.map((activity) => String(activity['subject'])), 'Read mail');
      equal(section.match(/- \[ \]/g)?.length, late.length);
      equal(notes.text(`Daily/${day(0)}.md`), null);
    },
  },
  {
    id: 'idle-deals',
    ask: 'How many open deals over 10,000 have not been touched for a month, and what are they worth together?',
    most: { calls: 2, tokens: 2_000 },
    act: async ({ use }) => {
      const page = await use('sales_crm_deals_list', {
        status: 'open',
        updated_until: `${day(-30)}T00:00:00Z`,
        limit: 100,
        fields: ['value'],
      });
      const values = page.list('data').map((one) => Number(one.at('value')));
      const large = values.filter((value) => value > 10_000);
      return `${large.length} deals, ${large.reduce((sum, value) => sum + value, 0)} EUR`;
    },
    holds: ({ sales }, answer) => {
      const before = Date.now() - 30 * 86_400_000;
      const idle = sales
        .all('deal')
        .filter((one) => one['status'] === 'open' && Date.parse(String(one['update_time'])) < before)
        .map((one) => Number(one['value']))
        .filter((value) => value > 10_000);
      ok(idle.length > 5 && idle.length < 15);
      says(answer, String(idle.length), String(idle.reduce((sum, value) => sum + value, 0)));
    },
  },
  {
    id: 'lead-with-phone',
    ask: 'Ms Ito of Heather Bakeries rang (+81 6 5550 0199): make a lead of it, with her number.',
    most: { calls: 3, tokens: 1_200 },
    act: async ({ use }) => {
      const org = await use('sales_crm_search', { term: 'Heather Bakeries', item_types: ['organization'] });
      const person = await use('sales_crm_person_create', {
        name: 'Ito',
        org: org.str('data.0.item.name'),
        phones: [{ value: '+81 6 5550 0199', primary: true, label: 'work' }],
      });
      await use('sales_crm_lead_create', { title: 'Ms Ito rang', person: person.str('id'), org: 'Heather Bakeries' });
      return 'The lead is there.';
    },
    holds: ({ sales }) => {
      const person = sales.all('person').at(-1);
      says(JSON.stringify(person?.['phones']), '+81 6 5550 0199');
      const lead = sales.all('lead').at(-1);
      equal(lead?.['person_id'], person?.['id']);
      const org = sales.all('organization').find((one) => one['name'] === 'Heather Bakeries');
      deepEqual([person?.['org_id'], lead?.['organization_id']], [org?.['id'], org?.['id']]);
    },
  },
  {
    id: 'reopen-deal',
    ask: 'Kestrel Foods came back: open the deal again that we had lost.',
    most: { calls: 2, tokens: 700 },
    act: async ({ use }) => {
      const lost = await use('sales_crm_deals_list', { org: 'Kestrel Foods', status: 'lost', fields: ['id', 'title'] });
      await use('sales_crm_deal_update', { id: lost.at('data.0.id'), status: 'open' });
      return `${lost.str('data.0.title')} is open again.`;
    },
    holds: ({ sales }, answer) => {
      const lost = sales.all('deal').filter((one) => one['org_id'] === 8 && one['status'] === 'lost');
      equal(lost.length, 0);
      equal(deal({ sales }, 8)?.['status'], 'open');
      says(answer, 'Kestrel Foods: Pilot');
    },
  },
];
