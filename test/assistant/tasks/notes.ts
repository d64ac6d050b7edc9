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
    most: { calls: 5, tokens: 1_800 },
    act: async ({ use, mistake }) => {
      const [find, replace] = ['Open questions', 'Unresolved'];
      const path = 'Projects/Rollout.md';
      says(await mistake('vault_note_replace', { path: 'Rollout.md', find, replace }), path);
      says(await mistake('vault_note_replace', { path, find, replace }), 'there 2 times');
      await use('vault_note_replace', { path, find, replace, expected: 2 });
      const links = await use('vault_search', { query: `"Rollout#${find}"` });
      for (const note of links.list('data')) {
        await use('vault_note_replace', {
          path: note.str('filename'),
          find: `Rollout#${find}`,
          replace: `Rollout#${replace}`,
        });
      }
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
    ask: 'Which notes have no tag but link one of our organisations? Write their links into a new note, Untagged.',
    most: { calls: 2, tokens: 6_000 },
    act: async ({ use }) => {
      const query = 'LIST WHERE length(file.tags) = 0 AND contains(string(file.outlinks), "Organisations/")';
      const found = await use('vault_search_advanced', { type: 'dql', query });
      const links = found.list('data').map((hit) => `- [[${hit.str('filename').replace(/\.md$/, '')}]]\n`);
      await use('vault_note_write', { path: 'Untagged.md', content: links.join('') });
      return `${links.length} notes.`;
    },
    holds: ({ notes }, answer) => {
      const organisations = notes.paths().filter((path) => path.startsWith('Organisations/'));
      const names = organisations.map((path) => path.slice('Organisations/'.length, -'.md'.length));
      const without = notes.paths().filter((path) => {
        const text = notes.text(path) ?? '';
        const links = names.some((name) => text.includes(`[[${name}]]`));
        return path !== 'Untagged.md' && links && !/^tags:/m.test(text);
      });
      equal(without.length, 70);
      says(answer, '70');
      deepEqual(
        [...(notes.text('Untagged.md') ?? '').matchAll(/\[\[(.*?)\]\]/g)].map(([, path = '']) => `${path}.md`).sort(),
        [...without].sort(),
      );
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
    ask: 'In the note Polaris Shipping - Pilot, write under the log of the delivery that the sample arrived.',
    most: { calls: 4, tokens: 1_200 },
    act: async ({ use, mistake }) => {
      const path = 'Deals/Polaris Shipping - Pilot.md';
      const patch = { path, content: '- the sample arrived' };
      says(await mistake('vault_note_patch', { ...patch, path: 'Polaris Shipping - Pilot.md', target: 'Log' }), path);
      says(await mistake('vault_note_patch', { ...patch, target: 'Log' }), 'Deal::Log#2');
      const { text } = await use('vault_note_read', { path });
      ok(text.indexOf('## Delivery') < text.lastIndexOf('## Log'));
      await use('vault_note_patch', { ...patch, target: 'Deal::Log#2' });
      return 'Written.';
    },
    holds: ({ notes }) => {
      const [, first = '', second = ''] = (notes.text('Deals/Polaris Shipping - Pilot.md') ?? '').split('## Log');
      ok(!first.includes('arrived') && second.includes('shipped a sample\n- the sample arrived'));
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
      ok(/cannot|can’t|can't|no way|not possible|unable/i.test(answer));
      equal(notes.paths().length, 200);
    },
  },
  {
    id: 'tag-notes',
    ask: 'Tag all ten notes in Ideas with “later”.',
    most: { calls: 2, tokens: 1_400 },
    act: async ({ use }) => {
      const { files } = Object((await use('vault_vault_list', { dir_path: 'Ideas' })).value);
      const items = Array.from(files, (file) => ({ path: `Ideas/${String(file)}`, tags: ['later'] }));
      const done = await use('workspace_bulk', { operation: 'vault_tags_add', items });
      return `${done.list('done').length} are tagged.`;
    },
    holds: ({ notes }) => {
      const ideas = notes.paths().filter((path) => path.startsWith('Ideas/'));
      equal(ideas.length, 10);
      for (const path of ideas) says(notes.text(path), 'later', 'A thought on #pricing');
    },
  },
  {
    id: 'note-section',
    mode: '?readonly=1',
    ask: 'What does our contract say about payment?',
    most: { calls: 2, tokens: 600 },
    act: async ({ use }) => {
      const { files } = Object((await use('vault_vault_list', { dir_path: 'Contracts' })).value);
      const name = Array.from(files, String).find((file) => file.startsWith('Terms'));
      return (await use('vault_note_read', { path: `Contracts/${name ?? ''}` })).text;
    },
    holds: (_, answer) => says(answer, '30 days'),
  },
  {
    id: 'move-note',
    ask: 'Move the rollout note into Archive, with everything that links to it.',
    most: { calls: 7, tokens: 2_500 },
    act: async ({ use, mistake }) => {
      const [path, to] = ['Projects/Rollout.md', 'Archive/Rollout.md'];
      says(await mistake('vault_note_read', { path: 'Rollout.md' }), path);
      const note = await use('vault_note_read', { path });
      await use('vault_note_write', { path: to, content: note.text.replace(/\nRevision: .*$/, '') });
      const links = await use('vault_search', { query: '"[[Projects/Rollout"' });
      for (const one of links.list('data')) {
        const change = { find: '[[Projects/Rollout', replace: '[[Archive/Rollout', expected: 0 };
        await use('vault_note_replace', { path: one.str('filename'), ...change });
      }
      await use('vault_note_delete', { path });
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
    most: { calls: 5, tokens: 8_000 },
    act: async ({ use }) => {
      const query = { in: ['north', { var: 'tags' }] };
      const tagged = await use('vault_search_advanced', { query });
      const paths = tagged.list('data').map((hit) => hit.str('filename'));
      const bulk = (operation: string, items: readonly object[]) => use('workspace_bulk', { operation, items });
      await bulk(
        'vault_tags_add',
        paths.map((path) => ({ path, tags: ['nordics'] })),
      );
      await bulk(
        'vault_tags_remove',
        paths.map((path) => ({ path, tags: ['north'] })),
      );
      const below = await use('vault_search_advanced', { type: 'dql', query: 'LIST FROM #north' });
      const change = { find: '#north/', replace: '#nordics/', expected: 0 };
      await bulk(
        'vault_note_replace',
        below.list('data').map((hit) => ({ path: hit.str('filename'), ...change })),
      );
      return 'Renamed.';
    },
    holds: ({ notes }) => {
      const texts = notes.paths().map((path) => notes.text(path) ?? '');
      const front = texts.map((text) => (text.startsWith('---\n') ? (text.split('---\n')[1] ?? '') : ''));
      equal(front.filter((text) => /\bnorth\b/.test(text)).length, 0);
      equal(front.filter((text) => /\bnordics\b/.test(text) && /\bdeal\b/.test(text)).length, 20);
      equal(texts.filter((text) => /#north\b/.test(text)).length, 0);
      equal(texts.filter((text) => text.includes('#nordics/coast')).length, 10);
    },
  },
  {
    id: 'stale-revision',
    ask: 'In Contracts/Terms, replace what is under Payment by “Within 14 days.”, but only if nobody changed the note since you read it.',
    most: { calls: 3, tokens: 900 },
    act: async ({ use, mistake }) => {
      const path = 'Contracts/Terms.md';
      const read = await use('vault_note_read', { path });
      const [, revision = ''] = /Revision: (\S+)/.exec(read.text) ?? [];
      const change = { path, target: 'Payment', operation: 'replace', content: 'Within 14 days.' };
      await mistake('vault_note_patch', { ...change, if_match: 'of another day' });
      await use('vault_note_patch', { ...change, if_match: revision });
      return 'Replaced.';
    },
    holds: ({ notes }) => {
      equal(notes.section('Contracts/Terms.md', '## Payment').trim(), 'Within 14 days.');
      says(notes.text('Contracts/Terms.md'), '## Liability\n\nAs the law says.');
    },
  },
];
