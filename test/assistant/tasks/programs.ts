import type { Task } from '#test/assistant/task.ts';
import { acrossTasks } from '#test/assistant/tasks/across.ts';
import { noteTasks } from '#test/assistant/tasks/notes.ts';
import { salesTasks } from '#test/assistant/tasks/sales.ts';
import { signingTasks, terms } from '#test/assistant/tasks/signing.ts';
import { trackerTasks } from '#test/assistant/tasks/tracker.ts';
import { day, lastWeek } from '#test/assistant/world/company.ts';

const others = [...acrossTasks, ...noteTasks, ...salesTasks, ...signingTasks, ...trackerTasks];

/**
 * A task that is done with one program. `before` is what it took an assistant with an earlier version, in tokens: of more
 * than 2,000 a program may take a fifth, else a half.
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
    most: { calls: 2, tokens: Math.floor(before / (before > 2_000 ? 5 : 2)) },
    act: async ({ use }) => {
      const done = await use('workspace_run', { code, ...(input === null ? {} : { input }) });
      return answer(JSON.stringify(done.at('result')));
    },
  };
}

/** The tasks that took more than 2,000 tokens, and smaller ones of several calls, done with programs. */
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
  byProgram('overdue-activities', 1_050, {
    code: `const asked = { owner: 'me', done: false, limit: 100, fields: ['subject', 'due_date'] };
const late = (await portolan.sales_crm.activities_list(asked)).data.filter((one) => one.due_date < '${day(0)}');
const { path } = await portolan.vault.periodic_read({ period: 'daily', format: 'note' });
await portolan.vault.note_patch({ path, target: 'Tasks', content: late.map((one) => '- [ ] ' + one.subject).join('\\n') });
return late.length;`,
    answer: (result) => `${result} are overdue.`,
  }),
  byProgram('merge-persons', 844, {
    code: `const crm = portolan.sales_crm;
const both = (await crm.persons_list({ org: 'Kestrel Foods', fields: ['id', 'name', 'emails'] })).data;
const [keep, goes] = both.filter((one) => one.name === 'Jonas Weber').toSorted((a, b) => b.emails.length - a.emails.length);
await crm.persons_merge({ id: goes.id, merge_with_id: keep.id });`,
    answer: () => 'He is there once now.',
  }),
  byProgram('weekly-report', 1_797, {
    code: `const [monday, end] = ['${lastWeek().monday}', '${lastWeek().end}'];
const within = { gte: monday + 'T00:00:00Z', lt: end + 'T00:00:00Z' };
const asked = { status: 'won', limit: 100, fields: ['value', 'won_time'] };
const won = (await portolan.sales_crm.deals_list(asked)).data.filter((one) => one.won_time >= monday && one.won_time < end);
const count = async (filter) => (await portolan.tracker.issues_list({ filter, first: 100, fields: ['identifier'] })).data.length;
const [made, done] = await Promise.all([count({ createdAt: within }), count({ completedAt: within })]);
const sum = won.reduce((total, one) => total + one.value, 0);
const line = \`\${won.length} deals won, \${sum} EUR; \${made} issues created, \${done} done\`;
await portolan.vault.periodic_write({ period: 'weekly', date: monday, content: '\\n' + line + '\\n' });
return line;`,
    answer: (result) => result,
  }),
  byProgram('lead-with-phone', 546, {
    code: `const org = 'Heather Bakeries';
const phones = [{ value: '+81 6 5550 0199', primary: true, label: 'work' }];
const { id } = await portolan.sales_crm.person_create({ name: 'Ito', org, phones });
await portolan.sales_crm.lead_create({ title: 'Ms Ito rang', person: String(id), org });`,
    answer: () => 'The lead is there.',
  }),
  byProgram('rename-heading', 1_212, {
    code: `await portolan.vault.heading_rename({ path: 'Projects/Rollout.md', target: 'Open questions', title: 'Unresolved' });`,
    answer: () => 'Renamed.',
  }),
  byProgram('count-issues', 1_653, {
    code: `let count = 0;
const filter = { state: { type: { nin: ['completed', 'canceled'] } } };
for await (const _ of portolan.pages(portolan.tracker.issues_list, { filter, fields: ['identifier'], first: 100 })) count += 1;
return count;`,
    answer: (result) => result,
  }),
  byProgram('tag-notes', 551, {
    code: `const { files } = await portolan.vault.vault_list({ dir_path: 'Ideas' });
for (const file of files) await portolan.vault.tags_add({ path: 'Ideas/' + file, tags: ['later'] });
return files.length;`,
    answer: (result) => `${result} are tagged.`,
  }),
  byProgram('overdue-tasks', 703, {
    code: `const query = 'TASK FROM "Deals" WHERE !completed AND due < date(today)';
return (await portolan.vault.search_advanced({ type: 'dql', query })).data.map((hit) => hit.filename.slice(6, -3)).join(';');`,
    answer: (result) =>
      result
        .slice(1, -1)
        .split(';')
        .map((name) => `Deals/${name}.md`)
        .join('\n'),
  }),
  byProgram('tier-without-meeting', 1_663, {
    code: `const query = 'TABLE sales_crm_org_id FROM "Organisations" WHERE tier = "A"';
const notes = (await portolan.vault.search_advanced({ type: 'dql', query })).data;
const asked = { done: false, limit: 100, fields: ['type', 'org_id'] };
const met = (await portolan.sales_crm.activities_list(asked)).data.filter((one) => one.type === 'meeting').map((one) => one.org_id);
return notes.filter((one) => !met.includes(one.result.sales_crm_org_id)).map((one) => one.filename.slice(14, -3));`,
    answer: (result) => result,
  }),
];
