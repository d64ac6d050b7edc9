import { ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { says, type Task } from '#test/assistant/task.ts';
import { day, lastWeek, weekOf } from '#test/assistant/world/company.ts';

const isWithin = (time: unknown, { monday, end }: Readonly<{ monday: string; end: string }>) =>
  typeof time === 'string' && time.slice(0, 10) >= monday && time.slice(0, 10) < end;

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300 && !isThere(); tries += 1) await delay(50);
}

/** Tasks over several services. */
export const acrossTasks: readonly Task[] = [
  {
    id: 'customer-brief',
    ask: 'I see Nordlicht this afternoon. Put a brief on them into today’s note: people, open deals, contracts, open issues.',
    most: { calls: 2, tokens: 1_800 },
    act: async ({ use }) => {
      const brief = await use('workspace_brief', { about: 'Nordlicht' });
      const facts = brief.text.split('\n').filter((line) => line.startsWith('- ') && !line.includes('[vault '));
      const content = ['', '## Nordlicht', '', ...facts, ''].join('\n');
      await use('vault_periodic_write', { period: 'daily', content });
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
    mode: '?readonly=1',
    ask: 'A mail came from someone@polaris.example. Who is that with us, and what is open?',
    most: { calls: 1, tokens: 3_300 },
    act: async ({ use }) => (await use('workspace_brief', { about: 'polaris.example' })).text,
    holds: (_, answer) => {
      says(answer, 'Polaris Shipping', 'Anna Lindqvist', 'NDA Polaris Shipping');
      ok(!answer.includes('Anna Berg'));
    },
  },
  {
    id: 'find-everywhere',
    mode: '?readonly=1',
    ask: 'Where do we have anything on Osteria Bianchi?',
    most: { calls: 1, tokens: 3_000 },
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
    ask: 'Write last week’s report, Monday to Sunday, into the note of that week: deals won with their value, and issues created and done.',
    most: { calls: 4, tokens: 2_000 },
    act: async ({ use }) => {
      const { monday, end } = lastWeek();
      const within = { gte: `${monday}T00:00:00Z`, lt: `${end}T00:00:00Z` };
      const fields = ['title', 'value', 'won_time'];
      const won = await use('sales_crm_deals_list', { status: 'won', limit: 100, fields });
      const recent = won.list('data').filter((one) => isWithin(one.str('won_time'), { monday, end }));
      const sum = recent.reduce((total, one) => total + Number(one.at('value')), 0);
      const made = await use('tracker_issues_list', {
        filter: { createdAt: within },
        fields: ['identifier'],
        first: 100,
      });
      const done = await use('tracker_issues_list', {
        filter: { completedAt: within },
        fields: ['identifier'],
        first: 100,
      });
      const line = `${recent.length} deals won, ${sum} EUR; ${made.list('data').length} issues created, ${done.list('data').length} done`;
      await use('vault_periodic_write', { period: 'weekly', date: monday, content: `\n${line}\n` });
      return line;
    },
    holds: (world, answer) => {
      const { monday, end } = lastWeek();
      const won = world.sales.all('deal').filter((one) => isWithin(one['won_time'], { monday, end }));
      const sum = won.reduce((total, one) => total + Number(one['value']), 0);
      const [made, done] = ['createdAt', 'completedAt'].map(
        (time) => world.tracker.all('Issue').filter((issue) => isWithin(issue[time], { monday, end })).length,
      );
      ok(won.length > 0 && Number(made) > 5 && Number(done) > 0 && made !== done);
      const line = `${won.length} deals won, ${sum} EUR; ${made} issues created, ${done} done`;
      says(answer, line);
      says(world.notes.text(`Weekly/${weekOf(monday)}.md`), line);
    },
  },
  {
    id: 'write-reaction',
    ask: 'From now on, whenever we lose a deal, write its title and the reason into the note Lost.md. Try it out before.',
    most: { calls: 5, tokens: 2_500 },
    act: async ({ use, mistake }) => {
      const guide = await use('workspace_reactions', { what: 'guide' });
      says(guide.text, 'Reactions/<name>.md', 'reaction', 'note');
      says(await mistake('workspace_reactions', { what: 'events deals' }), 'sales_crm');
      const events = await use('workspace_reactions', { what: 'events sales_crm' });
      says(events.text, 'sales_crm.updated.deal', 'deal.status', 'deal.title');
      const text = [
        '---\nreaction: on\nwhen: sales_crm.updated.deal\nif: deal.status == "lost" && previous.status != "lost"\nnote: Lost.md\n---',
        '- {{ deal.title }}: {{ deal.lost_reason }}\n',
      ].join('\n');
      const tried = await use('workspace_reactions', { what: text });
      await use('vault_note_write', { path: 'Reactions/Lost.md', content: text });
      return tried.text;
    },
    holds: async ({ notes, changeDeal }) => {
      await changeDeal(1, { status: 'lost', lost_reason: 'Too slow' });
      await waitFor(() => notes.text('Lost.md') !== null);
      says(notes.text('Lost.md'), '- Nordlicht Logistik: Renewal: Too slow');
    },
  },
  {
    id: 'list-reactions',
    mode: '?readonly=1',
    ask: 'Which of my reactions write into the note of won deals?',
    most: { calls: 1, tokens: 1_500 },
    act: async ({ use }) => (await use('workspace_reactions')).text,
    holds: (_, answer) => says(answer, 'won-deals'),
  },
];
