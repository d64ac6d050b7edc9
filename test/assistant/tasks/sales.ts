import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Answer } from '#test/assistant/answer.ts';
import { says, type Task } from '#test/assistant/task.ts';
import { customers, day } from '#test/assistant/world/company.ts';
import type { World } from '#test/assistant/world/world.ts';

const deal = ({ sales }: Pick<World, 'sales'>, id: number) => sales.find('deal', String(id));
const activitiesOf = ({ sales }: World, dealId: number) =>
  sales.all('activity').filter((activity) => activity['deal_id'] === dealId);

/** Tasks about the sales CRM. */
export const salesTasks: readonly Task[] = [
  {
    id: 'deal-stage',
    ask: 'Harbour Cranes want the pilot. Move that deal to “Proposal made” and plan a call with them tomorrow at 10:00 UTC.',
    most: { calls: 4, tokens: 1_400 },
    act: async ({ use, mistake }) => {
      await mistake('sales_crm_deal_update', { id: 'Harbour Cranes', stage: 'Proposal made' });
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
    holds: [
      (world) => {
        equal(deal(world, 6)?.['stage_id'], 2);
        equal(deal(world, 46)?.['stage_id'], 1);
      },
      (world) => {
        const [, planned, ...more] = activitiesOf(world, 6);
        deepEqual([planned?.['due_date'], planned?.['due_time'], more.length], [day(1), '10:00', 0]);
      },
    ],
  },
  {
    id: 'overdue-activities',
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
  {
    id: 'merge-persons',
    ask: 'Jonas Weber of Kestrel Foods is in there twice. Make one of him, with his address, his number and his work.',
    most: { calls: 2, tokens: 700 },
    act: async ({ use }) => {
      const both = await use('sales_crm_persons_list', { org: 'Kestrel Foods', fields: ['id', 'name', 'emails'] });
      const keep = both.find('data', (one) => one.list('emails').length > 0).at('id');
      const goes = both.find('data', (one) => one.list('emails').length === 0).at('id');
      await use('sales_crm_persons_merge', { id: goes, merge_with_id: keep });
      return 'He is there once now.';
    },
    holds: ({ sales }) => {
      const left = sales.all('person').filter((person) => person['name'] === 'Jonas Weber');
      deepEqual(
        left.map((person) => person['id']),
        [15],
      );
      says(JSON.stringify(left), 'jonas.weber@kestrel.example', '+49 40 555 0115');
      equal(sales.all('person').length, 79);
      equal(sales.all('activity').at(-1)?.['person_id'], 15);
    },
  },
  {
    id: 'two-annas',
    ask: 'Which number does Anna have?',
    most: { calls: 1, tokens: 400 },
    act: async ({ use }) => {
      const found = await use('sales_crm_search', { term: 'Anna', item_types: ['person'] });
      const who = (hit: Answer) => `${hit.str('item.name')}, ${hit.str('item.organization.name')}`;
      return `Which one: ${found.list('data').map(who).join('; or ')}?`;
    },
    holds: (_, answer) => says(answer, 'Anna Berg', 'Anna Lindqvist', 'Nordlicht', 'Polaris'),
  },
  {
    id: 'anna-of-polaris',
    ask: 'Plan a meeting with Anna of Polaris for the day after tomorrow.',
    most: { calls: 1, tokens: 300 },
    act: async ({ use }) => {
      const meeting = { subject: 'Meeting', type: 'meeting', person: 'Anna', org: 'Polaris', due_date: day(2) };
      await use('sales_crm_activity_create', meeting);
      return 'Planned.';
    },
    holds: ({ sales }) => {
      const planned = sales.all('activity').at(-1);
      deepEqual([planned?.['due_date'], planned?.['org_id']], [day(2), 2]);
      const participants = JSON.stringify(planned?.['participants'] ?? planned?.['person_id']);
      ok(/\b4\b/.test(participants), participants);
    },
  },
  {
    id: 'impossible-stage',
    ask: 'Move the Nordlicht renewal to the stage “Legal review”.',
    most: { calls: 2, tokens: 600 },
    act: async ({ use, mistake }) => {
      const deals = await use('sales_crm_deals_list', { org: 'Nordlicht', fields: ['id', 'title'] });
      const id = deals.find('data', (one) => one.str('title').endsWith('Renewal')).at('id');
      return await mistake('sales_crm_deal_update', { id, stage: 'Legal review' });
    },
    holds: (world, answer) => {
      says(answer, 'Legal review', 'Qualified', 'Proposal made', 'Negotiations started');
      equal(deal(world, 1)?.['stage_id'], 1);
    },
  },
  {
    id: 'complete-activity',
    ask: 'I have had the call about the Polaris pilot. Tick it off and note that they need a new quote.',
    most: { calls: 3, tokens: 900 },
    act: async ({ use }) => {
      const open = await use('sales_crm_activities_list', {
        org: 'Polaris',
        done: false,
        fields: ['id', 'subject', 'deal_id'],
      });
      const call = open.find('data', (one) => one.str('subject').endsWith('Pilot'));
      await use('sales_crm_activity_update', { id: call.at('id'), done: true });
      await use('sales_crm_note_create', { content: 'They need a new quote', deal_id: call.at('deal_id') });
      return 'Ticked off and noted.';
    },
    holds: [
      ({ sales }) => {
        const done = sales.all('activity').filter((one) => one['deal_id'] === 2);
        deepEqual(
          done.map((one) => [one['done'], one['subject']]),
          [[true, 'Call about Polaris Shipping: Pilot']],
        );
      },
      ({ sales }) => {
        const note = sales.all('note').at(-1);
        deepEqual([note?.['deal_id'], note?.['content']], [2, 'They need a new quote']);
      },
    ],
  },
  {
    id: 'tier-without-meeting',
    ask: 'Which of our tier A customers (it is in their notes) have no open meeting?',
    most: { calls: 3, tokens: 3_000 },
    act: async ({ use }) => {
      const query = 'TABLE sales_crm_org_id FROM "Organisations" WHERE tier = "A"';
      const notes = await use('vault_search_advanced', { type: 'dql', query });
      const filter = { done: false, limit: 100, fields: ['type', 'org_id'] };
      const open = await use('sales_crm_activities_list', filter);
      const met = open
        .list('data')
        .filter((one) => one.str('type') === 'meeting')
        .map((one) => one.str('org_id'));
      const without = notes.list('data').filter((hit) => !met.includes(hit.str('result.sales_crm_org_id')));
      return without.map((hit) => hit.str('filename').split('/').at(-1)?.replace('.md', '')).join('\n');
    },
    holds: ({ sales }, answer) => {
      const open = sales.all('activity').filter((one) => one['done'] === false && one['type'] === 'meeting');
      const met = new Set(open.map((one) => one['org_id']));
      const tierA = customers.flatMap(({ name, tier }, at) => (tier === 'A' ? [{ name, id: at + 1 }] : []));
      const [has, lacks] = [tierA.filter(({ id }) => met.has(id)), tierA.filter(({ id }) => !met.has(id))];
      ok(has.length > 0 && lacks.length > 0);
      says(answer, ...lacks.map(({ name }) => name));
      for (const { name } of has) ok(!answer.includes(name), name);
    },
  },
  {
    id: 'org-address',
    ask: 'Polaris Shipping moved to 7 New Quay, Oslo.',
    most: { calls: 2, tokens: 500 },
    act: async ({ use }) => {
      const found = await use('sales_crm_search', { term: 'Polaris', item_types: ['organization'] });
      await use('sales_crm_org_update', { id: found.at('data.0.item.id'), address: { value: '7 New Quay, Oslo' } });
      return 'Changed.';
    },
    holds: ({ sales }) =>
      says(JSON.stringify(sales.find('organization', '2')), '"7 New Quay, Oslo"', 'Polaris Shipping'),
  },
  {
    id: 'convert-lead',
    ask: 'Delta Optics said yes to the demo: make a deal of their lead, in Proposal made.',
    most: { calls: 2, tokens: 500 },
    act: async ({ use }) => {
      const leads = await use('sales_crm_leads_list', { org: 'Delta Optics', fields: ['id', 'title'] });
      const made = await use('sales_crm_lead_convert', { id: leads.at('data.0.id'), stage: 'Proposal made' });
      return `It is the deal ${made.str('deal_id')}.`;
    },
    holds: ({ sales }, answer) => {
      const made = sales.all('deal').at(-1);
      deepEqual([made?.['org_id'], made?.['stage_id']], [22, 2]);
      equal(
        sales.all('lead').some((lead) => lead['organization_id'] === 22),
        false,
      );
      says(answer, String(made?.['id']));
    },
  },
  {
    id: 'second-page',
    ask: 'How many of our deals are open, and what do they come to?',
    most: { calls: 2, tokens: 1_500 },
    act: async ({ use }) => {
      const asked = { status: 'open', limit: 30, fields: ['value'] };
      const first = await use('sales_crm_deals_list', asked);
      const rest = await use('sales_crm_deals_list', { ...asked, cursor: first.str('pagination.next') });
      const values = [...first.list('data'), ...rest.list('data')].map((one) => Number(one.at('value')));
      return `${values.length} deals, ${values.reduce((sum, value) => sum + value, 0)} EUR`;
    },
    holds: ({ sales }, answer) => {
      const open = sales.all('deal').filter((one) => one['status'] === 'open');
      const sum = open.reduce((total, one) => total + Number(one['value']), 0);
      ok(open.length > 30 && open.length < 60);
      says(answer, String(open.length), String(sum));
    },
  },
];
