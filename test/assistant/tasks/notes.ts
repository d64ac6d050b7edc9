import { deepEqual, equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import { day } from '#test/assistant/world/company.ts';

/** The paths that an answer names, a line each. */
const pathsIn = (answer: string) => [...answer.matchAll(/^\W*(\S.*\.md)/gm)].map(([, path = '']) => path).sort();

/** Tasks about notes. */
export const noteTasks: readonly Task[] = [
  {
    id: 'rename-heading',
    ask: 'In the rollout note, rename “Open questions” to “Unresolved”. Links to it must go on working.',
    most: { calls: 1, tokens: 400 },
    awaits: 'vault_heading_rename',
    act: async ({ use }) => {
      await use('vault_heading_rename', { path: 'Projects/Rollout.md', heading: 'Open questions', to: 'Unresolved' });
      return 'Renamed.';
    },
    holds: ({ notes }) => {
      says(
        notes.text('Projects/Rollout.md'),
        '## Unresolved\n\n- Who trains the crew? ^crew',
        '[[Rollout#Unresolved]]',
      );
      says(notes.text('Projects/Index.md'), '[[Rollout#Unresolved|questions]]', '- [[Projects/Rollout]]');
    },
  },
  {
    id: 'untagged-links',
    ask: 'Which deal notes have no tag and link Polaris or Osteria Bianchi? Only their names.',
    most: { calls: 1, tokens: 600 },
    act: async ({ use }) => {
      const query =
        'LIST FROM "Deals" WHERE length(file.tags) = 0 AND (contains(file.outlinks, [[Polaris Shipping]]) OR contains(file.outlinks, [[Osteria Bianchi]]))';
      const found = await use('vault_search_advanced', { type: 'dql', query });
      return found
        .list('data')
        .map((hit) => hit.str('filename'))
        .join('\n');
    },
    holds: ({ notes }, answer) => {
      const without = notes.paths().filter((path) => {
        const text = notes.text(path) ?? '';
        return (
          path.startsWith('Deals/') &&
          !text.includes('tags:') &&
          /\[\[(Polaris Shipping|Osteria Bianchi)\]\]/.test(text)
        );
      });
      ok(without.length > 0);
      deepEqual(pathsIn(answer), [...without].sort());
    },
  },
  {
    id: 'german-japanese',
    ask: 'Häng an die Angebotsvorlage unter Preise „Gültig 30 Tage“ an, und schreib in die Notiz 会議メモ unter 次回 「工場を見学する」.',
    most: { calls: 5, tokens: 1_800 },
    act: async ({ use }) => {
      const german = await use('vault_search', { query: 'Angebotsvorlage' });
      await use('vault_note_patch', {
        path: german.str('data.0.filename'),
        target: 'Preise',
        content: 'Gültig 30 Tage',
      });
      const japanese = await use('vault_search', { query: '会議メモ' });
      await use('vault_note_patch', {
        path: japanese.str('data.0.filename'),
        target: '次回',
        content: '- 工場を見学する',
      });
      return 'Erledigt.';
    },
    holds: ({ notes }) => {
      says(notes.section('Deutsch/Angebotsvorlage.md', '## Preise'), 'Siehe [[Pricing]].', 'Gültig 30 Tage');
      equal(notes.section('日本語/会議メモ.md', '## 次回').trim(), '- 見積もりを送る\n- 工場を見学する');
    },
  },
  {
    id: 'overdue-tasks',
    ask: 'Which of my open tasks in deal notes are overdue, by file?',
    most: { calls: 1, tokens: 2_500 },
    awaits: 'due dates in queries',
    act: async ({ use }) => {
      const query = 'TASK FROM "Deals" WHERE !completed AND due < date(today)';
      const found = await use('vault_search_advanced', { type: 'dql', query });
      return found
        .list('data')
        .map((hit) => hit.str('filename'))
        .join('\n');
    },
    holds: ({ notes }, answer) => {
      const late = notes.paths().filter((path) => {
        const due = /- \[ \] .*📅 (\d{4}-\d{2}-\d{2})/.exec(notes.text(path) ?? '')?.[1];
        return path.startsWith('Deals/') && due !== undefined && due < day(0);
      });
      equal(late.length, 20);
      deepEqual(pathsIn(answer), [...late].sort());
    },
  },
  {
    id: 'composed-name',
    ask: 'Put “Cortado 3.10” onto the menu in Café Menu.',
    most: { calls: 1, tokens: 200 },
    awaits: 'names in either form of Unicode',
    act: async ({ use }) => {
      await use('vault_note_write', { path: 'Café Menu.md', content: '- Cortado 3.10\n', mode: 'append' });
      return 'It is on the menu.';
    },
    holds: ({ notes }) => {
      const menus = notes.paths().filter((path) => path.normalize('NFC') === 'Café Menu.md');
      equal(menus.length, 1);
      equal(notes.text(menus[0] ?? ''), '# Café Menu\n\n- Espresso 2.50\n- Cortado 3.10\n');
    },
  },
  {
    id: 'table-row',
    awaits: 'vault_note_replace',
    ask: 'In Pricing, add a row to the hardware table: Cable, 12.',
    most: { calls: 2, tokens: 800 },
    act: async ({ use }) => {
      await use('vault_note_read', { path: 'Pricing.md' });
      await use('vault_note_patch', { path: 'Pricing.md', target: 'Hardware', content: '| Cable | 12 |' });
      return 'The row is there.';
    },
    holds: ({ notes }) => {
      const table = '| Item | Price |\n| --- | ---: |\n| Terminal | 420 |\n| Antenna | 95 |\n| Cable | 12 |\n';
      equal(notes.section('Pricing.md', '## Hardware').trim(), table.trim());
    },
  },
  {
    id: 'second-log',
    ask: 'In the note on the Polaris pilot, write under the log of the delivery that the sample arrived.',
    most: { calls: 2, tokens: 500 },
    awaits: 'headings that occur twice',
    act: async ({ use, mistake }) => {
      const patch = { path: 'Deals/Polaris Shipping - Pilot.md', content: '- the sample arrived' };
      says(await mistake('vault_note_patch', { ...patch, target: 'Log' }), 'Delivery');
      await use('vault_note_patch', { ...patch, target: 'Deal::Log#2' });
      return 'Written.';
    },
    holds: ({ notes }) => {
      const [, first = '', second = ''] = (notes.text('Deals/Polaris Shipping - Pilot.md') ?? '').split('## Log');
      ok(!first.includes('arrived') && second.includes('shipped a sample\n- the sample arrived'));
    },
  },
  {
    id: 'daily-log',
    ask: 'Write into my log of today that the crane is repaired.',
    most: { calls: 2, tokens: 500 },
    awaits: 'daily notes where the notes app has them',
    act: async ({ use }) => {
      const today = await use('vault_periodic_read', { period: 'daily', format: 'note' });
      await use('vault_note_patch', { path: today.str('path'), target: 'Log', content: '- the crane is repaired' });
      return 'Written.';
    },
    holds: ({ notes }) => {
      says(notes.section(`${day(0)}.md`, '## Log'), '0 days before today', '- the crane is repaired');
      deepEqual(
        notes.paths().filter((path) => path.startsWith('Daily/')),
        [],
      );
    },
  },
  {
    id: 'deleted-note',
    ask: 'I deleted the note “Old prices” yesterday. Bring it back.',
    most: { calls: 2, tokens: 1_100 },
    act: async ({ use, mistake }) => {
      const refusal = await mistake('vault_note_read', { path: 'Old prices.md' });
      const found = await use('vault_search', { query: '"Old prices"' });
      return found.list('data').length === 0 ? `I cannot: ${refusal}` : found.text;
    },
    holds: ({ notes }, answer) => {
      says(answer, 'Old prices');
      ok(/cannot|no way|not possible|unable/i.test(answer));
      equal(notes.paths().length, 200);
    },
  },
  {
    id: 'tag-notes',
    ask: 'Tag all nine ideas with “later”.',
    most: { calls: 2, tokens: 1_200 },
    awaits: 'workspace_bulk',
    act: async ({ use }) => {
      const { files } = Object((await use('vault_vault_list', { dir_path: 'Ideas' })).value);
      const items = Array.from(files, (file) => ({ path: `Ideas/${String(file)}`, tags: ['later'] }));
      const done = await use('workspace_bulk', { operation: 'vault_tags_add', items });
      return `${done.list('done').length} are tagged.`;
    },
    holds: ({ notes }) => {
      const ideas = notes.paths().filter((path) => path.startsWith('Ideas/'));
      equal(ideas.length, 9);
      for (const path of ideas) says(notes.text(path), 'later', 'A thought on #pricing');
    },
  },
  {
    id: 'long-text',
    ask: 'Chapter 40 of the handbook: the deposit is 500 EUR now. Nothing else may change.',
    most: { calls: 2, tokens: 1_000 },
    awaits: 'vault_note_replace',
    act: async ({ use }) => {
      const section = await use('vault_note_section', { path: 'Handbook.md', target: 'Chapter 40' });
      const [find = ''] = /The deposit of chapter 40 is \d+ EUR/.exec(section.text) ?? [];
      await use('vault_note_replace', { path: 'Handbook.md', find, replace: find.replace(/\d+ EUR/, '500 EUR') });
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
    id: 'append-handbook',
    ask: 'Add to chapter 12 of the handbook: “Dogs stay outside.”',
    most: { calls: 1, tokens: 400 },
    awaits: 'short answers of writes',
    act: async ({ use }) => {
      await use('vault_note_patch', { path: 'Handbook.md', target: 'Chapter 12', content: 'Dogs stay outside.' });
      return 'Added.';
    },
    holds: ({ notes }) => says(notes.section('Handbook.md', '## Chapter 12'), 'Dogs stay outside.', '120 EUR'),
  },
  {
    id: 'note-section',
    ask: 'What does our contract say about payment?',
    most: { calls: 2, tokens: 600 },
    awaits: 'vault_note_section',
    act: async ({ use }) => {
      await use('vault_vault_list', { dir_path: 'Contracts' });
      return (await use('vault_note_section', { path: 'Contracts/Terms.md', target: 'Payment' })).text;
    },
    holds: (_, answer) => says(answer, '30 days'),
  },
  {
    id: 'move-note',
    ask: 'Move the rollout note into Archive, with everything that links to it.',
    most: { calls: 1, tokens: 400 },
    awaits: 'vault_note_move',
    act: async ({ use }) => {
      await use('vault_note_move', { path: 'Projects/Rollout.md', to: 'Archive/Rollout.md' });
      return 'Moved.';
    },
    holds: ({ notes }) => {
      equal(notes.text('Projects/Rollout.md'), null);
      says(notes.text('Archive/Rollout.md'), '- Cables are late', '[[Pricing#Hardware]]');
      says(notes.text('Projects/Index.md'), 'Rollout#Open questions|questions]]', '[[Archive/Rollout]]');
    },
  },
  {
    id: 'rename-tag',
    ask: 'Our tag “north” is to be called “nordics” everywhere, with what is below it.',
    most: { calls: 1, tokens: 1_500 },
    awaits: 'vault_tag_rename',
    act: async ({ use }) => {
      await use('vault_tag_rename', { tag: 'north', to: 'nordics' });
      return 'Renamed.';
    },
    holds: ({ notes }) => {
      const texts = notes.paths().map((path) => notes.text(path) ?? '');
      deepEqual(
        texts.filter((text) => /tags: \[deal, north\]|#north\b/.test(text)),
        [],
      );
      equal(texts.filter((text) => text.includes('tags: [deal, nordics]')).length, 20);
      equal(texts.filter((text) => text.includes('#nordics/coast')).length, 9);
    },
  },
  {
    id: 'stale-revision',
    ask: 'Replace the terms of payment by “Within 14 days.”, but only if nobody changed the note since you read it.',
    most: { calls: 3, tokens: 900 },
    awaits: 'if_match',
    act: async ({ use, mistake }) => {
      const path = 'Contracts/Terms.md';
      const read = await use('vault_note_read', { path, format: 'note' });
      const change = { path, target: 'Payment', operation: 'replace', content: 'Within 14 days.' };
      await mistake('vault_note_patch', { ...change, if_match: 'of another day' });
      await use('vault_note_patch', { ...change, if_match: read.str('revision') });
      return 'Replaced.';
    },
    holds: ({ notes }) => {
      says(notes.text('Contracts/Terms.md'), '## Payment\n\nWithin 14 days.\n\n## Liability\n\nAs the law says.');
    },
  },
];
