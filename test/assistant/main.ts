import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { programAssistant } from '#test/assistant/model.ts';
import { tableOf, verdict, withTable } from '#test/assistant/report.ts';
import { scripted } from '#test/assistant/scripted.ts';
import { type Run, run } from '#test/assistant/task.ts';
import { tasks } from '#test/assistant/tasks.ts';

/*
 * `npm run tasks [-- name…]`: does all tasks, or those named, each in a world of its own, by the calls that are written beside it; prints
 * what is not right or over its bounds, and the table. `--model <command>` has a program do them in place of the written calls (the protocol
 * is in `model.ts`); bounds do not count then. `--write` puts the table into docs/performance.md.
 */
const { values, positionals } = parseArgs({
  options: { model: { type: 'string' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const assistant = values.model === undefined ? scripted : programAssistant(values.model);
const runs: Run[] = [];
for (const task of tasks) {
  if (task.awaits !== undefined || (positionals.length > 0 && !positionals.includes(task.id))) continue;
  const done = await run(task, assistant);
  runs.push(done);
  const fault = values.model === undefined ? verdict(done) : done.fault;
  if (fault === null) continue;
  process.stdout.write(`${task.id}: ${fault}\n`);
  process.exitCode = 1;
}
const table = tableOf(runs);
process.stdout.write(`${table}\n`);
if (values.write) {
  const page = new URL('../../docs/performance.md', import.meta.url);
  const how = `Measured on ${new Date().toISOString().slice(0, 10)}, ${values.model === undefined ? 'by the written calls' : `by \`${values.model}\``}.`;
  await writeFile(page, withTable(await readFile(page, 'utf8'), table, how));
}
