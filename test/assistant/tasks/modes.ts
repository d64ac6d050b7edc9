import { equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import { day } from '#test/assistant/world/company.ts';

const catalogue = '?mode=catalogue';
const readonly = '?readonly=1';

/** Tasks for small contexts, where tools are searched for, and for connections that may only read. */
export const modeTasks: readonly Task[] = [
  {
    id: 'catalogue-daily',
    mode: catalogue,
    ask: 'Schreib in die heutige Notiz: „Kran repariert“.',
    most: { calls: 2, tokens: 800 },
    act: async ({ use }) => {
      const found = await use('search_tools', { query: 'heutige Notiz schreiben', limit: 2 });
      const tool = found.find('tools', (one) => one.str('name') === 'vault_periodic_write').str('name');
      await use('run_write_tool', { tool, arguments: { period: 'daily', content: 'Kran repariert' } });
      return 'Steht drin.';
    },
    holds: ({ notes }) => says(notes.text(`${day(0)}.md`), '## Log', 'Kran repariert'),
  },
  {
    id: 'catalogue-bug',
    mode: catalogue,
    ask: 'File a bug with Operations: the printer in hall 2 is out.',
    most: { calls: 2, tokens: 1_200 },
    act: async ({ use }) => {
      const found = await use('search_tools', { query: 'open a bug', limit: 2 });
      const tool = found.find('tools', (one) => one.str('name') === 'tracker_issue_create').str('name');
      const bug = { title: 'Printer in hall 2 is out', team: 'Operations', labels: ['Bug'] };
      const made = await use('run_write_tool', { tool, arguments: bug });
      return `Filed as ${made.str('identifier')}.`;
    },
    holds: ({ tracker, team }, answer) => {
      const issue = tracker.all('Issue').at(-1);
      equal(issue?.['teamId'], team.ops.id);
      says(answer, String(tracker.leaf('Issue', issue ?? team.issue, 'identifier')));
    },
  },
  {
    id: 'catalogue-review',
    mode: catalogue,
    ask: 'What of Design is in review, and when was the last change?',
    most: { calls: 1, tokens: 500 },
    act: async ({ use }) => {
      const fields = ['identifier', 'updatedAt'];
      return (await use('tracker_issues_list', { team: 'Design', state: 'In Review', fields })).text;
    },
    holds: ({ tracker }, answer) => {
      const wanted = tracker
        .all('Issue')
        .filter((issue) => tracker.find('WorkflowState', issue['stateId'])?.['name'] === 'In Review')
        .filter((issue) => String(tracker.leaf('Issue', issue, 'identifier')).startsWith('DES'));
      ok(wanted.length > 0);
      for (const issue of wanted) {
        says(answer, String(tracker.leaf('Issue', issue, 'identifier')), issue['updatedAt'].slice(0, 10));
      }
    },
  },
  {
    id: 'catalogue-rename',
    mode: catalogue,
    ask: 'Rename the heading “Risks” of Projects/Rollout to “Dangers”.',
    most: { calls: 3, tokens: 1_200 },
    act: async ({ use, mistake }) => {
      const found = await use('search_tools', { query: 'replace text in a note', limit: 2 });
      const tool = found.find('tools', (one) => one.str('name') === 'vault_note_replace').str('name');
      const change = { path: 'Projects/Rollout.md', find: '## Risks', replace: '## Dangers' };
      const order = { tool, arguments: change };
      says(await mistake('run_read_tool', order), 'run_write_tool');
      await use('run_write_tool', order);
      return 'Renamed.';
    },
    holds: ({ notes }) =>
      says(notes.text('Projects/Rollout.md'), '## Dangers\n\n- Cables are late', '## Open questions'),
  },
  {
    id: 'catalogue-chapter',
    mode: catalogue,
    ask: 'Chapter 40 of the Handbook: the deposit is 500 EUR now. Nothing else may change.',
    most: { calls: 3, tokens: 2_000 },
    act: async ({ use }) => {
      const hits = await use('vault_search', { query: '"deposit of chapter 40"', contextLength: 60 });
      const [find = ''] = /The deposit of chapter 40 is \d+ EUR/.exec(hits.text) ?? [];
      const found = await use('search_tools', { query: 'replace text in a note', limit: 2 });
      const tool = found.find('tools', (one) => one.str('name') === 'vault_note_replace').str('name');
      const change = { path: 'Handbook.md', find, replace: find.replace(/\d+ EUR/, '500 EUR') };
      await use('run_write_tool', { tool, arguments: change });
      return 'Changed.';
    },
    holds: ({ notes }) => {
      const text = notes.text('Handbook.md') ?? '';
      says(text, 'The deposit of chapter 40 is 500 EUR', 'The deposit of chapter 41 is 410 EUR');
      equal(text.match(/^## Chapter/gm)?.length, 90);
      ok(text.length > 90_000);
    },
  },
  {
    id: 'catalogue-bulk',
    mode: catalogue,
    ask: 'Tag Maria Hughes, Maria Zorro and Tomasz Hughes among the notes on People as “press”; who is not there?',
    most: { calls: 3, tokens: 1_800 },
    act: async ({ use }) => {
      const tagging = await use('search_tools', { query: 'tag a note', limit: 2 });
      const operation = tagging.find('tools', (one) => one.str('name') === 'vault_tags_add').str('name');
      const running = await use('search_tools', { query: 'do the same for several', limit: 2 });
      const tool = running.find('tools', (one) => one.str('name') === 'workspace_bulk').str('name');
      const items = ['Maria Hughes', 'Maria Zorro', 'Tomasz Hughes'].map((name) => ({
        path: `People/${name}.md`,
        tags: ['press'],
      }));
      return (await use('run_write_tool', { tool, arguments: { operation, items } })).text;
    },
    holds: ({ notes }, answer) => {
      says(answer, 'Zorro', 'not_found');
      equal(notes.text('People/Maria Zorro.md'), null);
      const tagged = notes.paths().filter((path) => /^ {2}- press$|tags: \[press\]/m.test(notes.text(path) ?? ''));
      equal(tagged.length, 2);
    },
  },
  {
    id: 'catalogue-lost',
    mode: catalogue,
    ask: 'Mark the Birch Textiles deal as lost: too expensive.',
    most: { calls: 3, tokens: 2_300 },
    act: async ({ use }) => {
      const hits = await use('sales_crm_search', { term: 'Birch Textiles', item_types: ['deal'] });
      const id = hits.find('data', (hit) => hit.str('item.status') === 'open').at('item.id');
      const found = await use('search_tools', { query: 'mark a deal as lost', service: 'sales_crm', limit: 1 });
      const lost = { id, status: 'lost', lost_reason: 'Too expensive' };
      await use('run_write_tool', { tool: found.str('tools.0.name'), arguments: lost });
      return 'It is lost.';
    },
    holds: ({ sales }) => {
      const [deal] = sales.all('deal').filter((one) => String(one['title']).startsWith('Birch Textiles'));
      equal(`${String(deal?.['status'])}: ${String(deal?.['lost_reason'])}`, 'lost: Too expensive');
    },
  },
  {
    id: 'readonly-refused',
    mode: readonly,
    ask: 'Delete the note Pricing.',
    most: { calls: 1, tokens: 300 },
    act: async ({ mistake }) => `I may only read: ${await mistake('vault_note_delete', { path: 'Pricing.md' })}`,
    holds: ({ notes }, answer) => {
      says(notes.text('Pricing.md'), '## Hardware');
      ok(/read|cannot|not allowed/i.test(answer));
    },
  },
  {
    id: 'readonly-contract',
    mode: readonly,
    ask: 'Has Café Zürich signed?',
    most: { calls: 1, tokens: 300 },
    act: async ({ use }) =>
      (await use('signing_documents_list', { q: 'Café Zürich', fields: ['name', 'status'] })).text,
    holds: (_, answer) => says(answer, 'Master agreement Café Zürich', 'completed'),
  },
  {
    id: 'readonly-several',
    mode: readonly,
    ask: 'How are ENG-3, ENG-4 and OPS-2 getting on?',
    most: { calls: 1, tokens: 2_000 },
    act: async ({ use }) => {
      const items = ['ENG-3', 'ENG-4', 'OPS-2'].map((id) => ({ id }));
      return (await use('workspace_bulk', { operation: 'tracker_issue_get', items })).text;
    },
    holds: ({ tracker }, answer) => {
      for (const identifier of ['ENG-3', 'ENG-4', 'OPS-2']) {
        const issue = tracker.find('Issue', identifier);
        says(answer, identifier, String(tracker.find('WorkflowState', issue?.['stateId'])?.['name']));
      }
    },
  },
];
