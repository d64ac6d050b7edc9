import type { Task } from '#test/assistant/task.ts';
import { acrossTasks } from '#test/assistant/tasks/across.ts';
import { noteTasks } from '#test/assistant/tasks/notes.ts';
import { salesTasks } from '#test/assistant/tasks/sales.ts';
import { signingTasks, terms } from '#test/assistant/tasks/signing.ts';
import { trackerTasks } from '#test/assistant/tasks/tracker.ts';
import { day } from '#test/assistant/world/company.ts';

const others = [...acrossTasks, ...noteTasks, ...salesTasks, ...signingTasks, ...trackerTasks];

/**
 * A task that is done with one program. `before` is what it took an assistant with an earlier version, in tokens, of
 * which a program may take a fifth.
 */
function byProgram(
  id: string,
  before: number,
  { code, input = null, answer }: Readonly<{ code: string; input?: unknown; answer: (result: string) => string }>,
): Task {
  const task = others.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return {
    ...task,
    id: `program-${id}`,
    mode: '?mode=programs',
    most: { calls: 2, tokens: Math.floor(before / 5) },
    act: async ({ use }) => {
      const done = await use('workspace_run', { code, ...(input === null ? {} : { input }) });
      return answer(JSON.stringify(done.at('result')));
    },
  };
}

/** The tasks that took more than 2,000 tokens, done with programs. */
export const programTasks: readonly Task[] = [
  byProgram('customer-brief', 6_787, {
    code: `const brief = await portolan.brief({ about: 'Nordlicht' });
const facts = brief.split('\\n').filter((line) => line.startsWith('- ') && !line.includes('[vault '));
await portolan.vault.periodic_write({ period: 'daily', content: ['', '## Nordlicht', '', ...facts, ''].join('\\n') });`,
    answer: () => 'It is in your note.',
  }),
  byProgram('nda-from-template', 2_618, {
    code: `const { sales_crm: crm, signing, vault } = portolan;
const [{ item }] = (await crm.search({ term: 'Anna Berg', item_types: ['person'] })).data;
const [{ id: template_uuid }] = (await signing.templates_list({ q: 'NDA' })).data;
const [{ name: role }] = (await signing.template_get({ id: template_uuid })).roles;
const recipients = [{ email: item.emails[0], first_name: 'Anna', last_name: 'Berg', role }];
const { id } = await signing.document_create({ template_uuid, name: 'NDA Nordlicht, Anna Berg', recipients, wait: 30 });
await signing.document_send({ id, subject: 'Our NDA', message: 'Please sign.' });
const path = (await vault.search({ query: 'Nordlicht' })).data.map((hit) => hit.filename).find((one) => /^Organisations/.test(one));
await vault.note_patch({ path, target: 'Notes', content: '- NDA sent to Anna Berg, document ' + id });`,
    answer: () => 'Sent.',
  }),
  byProgram('idle-deals', 2_114, {
    code: `const values = [];
const asked = { status: 'open', updated_until: '${day(-30)}T00:00:00Z', fields: ['value'], limit: 100 };
for await (const { value } of portolan.pages(portolan.sales_crm.deals_list, asked)) if (value > 10000) values.push(value);
return [values.length, values.reduce((sum, value) => sum + value, 0)];`,
    answer: (result) => `Deals, EUR: ${result}`,
  }),
  byProgram('close-reviewed', 3_616, {
    code: `const reviewed = () => portolan.tracker.issues_list({ state: 'In Review', first: 100, fields: ['identifier'] });
const { data } = await reviewed();
await Promise.all(data.map(({ identifier }) => portolan.tracker.issue_update({ issue: identifier, state: 'Done' })));
return [data.length, (await reviewed()).data.length];`,
    answer: (result) => `Done, left: ${result}`,
  }),
  byProgram('untagged-links', 5_040, {
    code: `const query = 'LIST WHERE length(file.tags) = 0 AND contains(string(file.outlinks), "Organisations/")';
const { data } = await portolan.vault.search_advanced({ type: 'dql', query });
const links = data.map(({ filename }) => '- [[' + filename.replace(/\\.md$/, '') + ']]\\n');
await portolan.vault.note_write({ path: 'Untagged.md', content: links.join('') });
return links.length;`,
    answer: (result) => `${result} notes.`,
  }),
  byProgram('long-text', 116_599, {
    input: { terms },
    code: `const { terms: content } = input;
const path = 'Contracts/General terms.md';
await portolan.vault.note_write({ path, content });
await portolan.tracker.document_create({ title: 'General terms', content, project: 'Website' });
const recipients = [{ email: 'grace@cafe-zuerich.example', first_name: 'Grace', last_name: 'Hughes' }];
const { id } = await portolan.signing.document_from_file({ file: { vault_path: path }, name: 'General terms', recipients, wait: 30 });
await portolan.signing.document_send({ id, subject: 'Our new terms', message: 'Please sign.' });`,
    answer: () => 'It is all done.',
  }),
];
