import { equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import { day } from '#test/assistant/world/company.ts';

/** Tasks over several services. */
export const acrossTasks: readonly Task[] = [
  {
    id: 'customer-brief',
    ask: 'I see Nordlicht this afternoon. Put a brief on them into today’s note: people, open deals, contracts, open issues.',
    most: { calls: 3, tokens: 3_500 },
    awaits: 'workspace_brief',
    act: async ({ use }) => {
      const brief = await use('workspace_brief', { about: 'Nordlicht' });
      await use('vault_periodic_write', {
        period: 'daily',
        content: `\n## Nordlicht\n\n${brief.text}\n`,
        mode: 'append',
      });
      return 'It is in your note.';
    },
    holds: ({ notes }) => {
      const text = notes.text(`${day(0)}.md`);
      says(text, '## Log', 'Anna Berg', 'Renewal', 'Pilot', 'Master agreement Nordlicht Logistik', 'ENG-2');
      ok(text?.includes('Polaris') === false);
    },
  },
  {
    id: 'brief-by-domain',
    ask: 'A mail came from someone@polaris.example. Who is that with us, and what is open?',
    most: { calls: 1, tokens: 3_300 },
    awaits: 'workspace_brief',
    act: async ({ use }) => (await use('workspace_brief', { about: 'polaris.example' })).text,
    holds: (_, answer) => {
      says(answer, 'Polaris Shipping', 'Anna Lindqvist', 'NDA Polaris Shipping');
      ok(!answer.includes('Anna Berg'));
    },
  },
  {
    id: 'find-everywhere',
    ask: 'Where do we have anything on Osteria Bianchi?',
    most: { calls: 1, tokens: 3_000 },
    awaits: 'workspace_search',
    act: async ({ use }) => (await use('workspace_search', { query: 'Osteria Bianchi' })).text,
    holds: (_, answer) =>
      says(
        answer,
        'Osteria Bianchi: Renewal',
        'Order form Osteria Bianchi',
        'Organisations/Osteria Bianchi.md',
        'ENG-',
      ),
  },
  {
    id: 'weekly-report',
    ask: 'Write into my note of today how the last seven days went: deals won and their value, and issues done.',
    most: { calls: 3, tokens: 1_500 },
    awaits: 'daily notes where the notes app has them',
    act: async ({ use }) => {
      const won = await use('sales_crm_deals_list', {
        status: 'won',
        fields: ['title', 'value', 'won_time'],
        limit: 100,
      });
      const recent = won.list('data').filter((one) => one.str('won_time').slice(0, 10) > day(-7));
      const sum = recent.reduce((total, one) => total + Number(one.at('value')), 0);
      const done = await use('tracker_issues_list', {
        stateType: 'completed',
        filter: { completedAt: { gte: '-P1W' } },
        fields: ['identifier'],
      });
      const line = `${recent.length} deals won, ${sum} EUR; ${done.list('data').length} issues done`;
      await use('vault_periodic_write', { period: 'daily', content: `\n${line}\n`, mode: 'append' });
      return line;
    },
    holds: ({ sales, notes }) => {
      const won = sales
        .all('deal')
        .filter((one) => typeof one['won_time'] === 'string' && one['won_time'].slice(0, 10) > day(-7));
      const sum = won.reduce((total, one) => total + Number(one['value']), 0);
      ok(won.length > 0 && won.length < 6);
      says(notes.text(`${day(0)}.md`), `${won.length} deals won, ${sum} EUR; 0 issues done`, '## Log');
    },
  },
  {
    id: 'bulk-partly',
    ask: 'Tag the contacts Alves, Brandt and Zorro in the notes as “press”; tell me who is not there.',
    most: { calls: 1, tokens: 700 },
    awaits: 'workspace_bulk',
    act: async ({ use }) => {
      const items = ['Maria Alves', 'Maria Zorro', 'Tomasz Alves'].map((name) => ({
        path: `People/${name}.md`,
        tags: ['press'],
      }));
      return (await use('workspace_bulk', { operation: 'vault_tags_add', items })).text;
    },
    holds: ({ notes }, answer) => {
      says(answer, 'Zorro', 'not_found');
      equal(notes.text('People/Maria Zorro.md'), null);
    },
  },
  {
    id: 'write-reaction',
    ask: 'From now on, whenever we lose a deal, write its title and the reason into the note Lost.md. Try it out before.',
    most: { calls: 4, tokens: 8_000 },
    awaits: 'workspace_reactions',
    act: async ({ use }) => {
      const guide = await use('workspace_reactions', { what: 'guide' });
      says(guide.text, 'reaction: on', 'when:');
      const text =
        '---\nreaction: on\nwhen: sales_crm.updated.deal\nif: deal.status == "lost"\nnote: Lost.md\n---\n- {{ deal.title }}: {{ deal.lost_reason }}\n';
      const checked = await use('workspace_reactions', { what: 'check', text });
      await use('vault_note_write', { path: 'Reactions/lost-deals.md', content: text, mode: 'create' });
      return checked.text;
    },
    holds: ({ notes }) => says(notes.text('Reactions/lost-deals.md'), 'when: sales_crm.updated.deal', 'Lost.md'),
  },
  {
    id: 'list-reactions',
    ask: 'Which of my reactions write into the note of won deals?',
    most: { calls: 1, tokens: 1_500 },
    awaits: 'workspace_reactions',
    act: async ({ use }) => (await use('workspace_reactions', { what: 'list' })).text,
    holds: (_, answer) => says(answer, 'won-deals'),
  },
];
