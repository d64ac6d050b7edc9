import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { programAssistant } from '#test/assistant/model.ts';
import { tablesOf, verdict, withTables } from '#test/assistant/report.ts';
import { scripted } from '#test/assistant/scripted.ts';
import { type Run, run } from '#test/assistant/task.ts';
import { taskGroups } from '#test/assistant/tasks.ts';

/*
 * `npm run tasks [-- name…]`: does all tasks, or those named by id or by a word of their group's title (`programs`), each in a world of its own, by the calls that are written beside it; prints
 * what is not right or over its bounds, and the tables. `--model <command>` has a program do them in place of the written calls (the protocol
 * is in `model.ts`); bounds do not count then. `--write` puts the tables into docs/performance.md.
 */
const { values, positionals } = parseArgs({
  options: { model: { type: 'string' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const assistant = values.model === undefined ? scripted : programAssistant(values.model);
const runs: Run[] = [];
const isWanted = (id: string, title: string) =>
  positionals.length === 0 || [id, ...title.toLowerCase().split(' ')].some((name) => positionals.includes(name));
for (const task of taskGroups.flatMap(({ title, tasks }) => tasks.filter(({ id }) => isWanted(id, title)))) {
  if (task.awaits !== undefined) continue;
  const done = await run(task, assistant);
  runs.push(done);
  const fault = values.model === undefined ? verdict(done) : done.fault;
  if (fault === null) continue;
  process.stdout.write(`${task.id}: ${fault}\n`);
  process.exitCode = 1;
}
const tables = tablesOf(taskGroups, runs);
process.stdout.write(`${tables}\n`);
if (values.write) {
  const page = new URL('../../docs/performance.md', import.meta.url);
  const how = `Measured on ${new Date().toISOString().slice(0, 10)}, ${values.model === undefined ? 'by the written calls' : `by \`${values.model}\``}.`;
  await writeFile(page, withTables(await readFile(page, 'utf8'), tables, how));
}
