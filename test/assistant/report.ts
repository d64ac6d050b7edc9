import type { Run } from '#test/assistant/task.ts';
import type { TaskGroup } from '#test/assistant/tasks.ts';

const begin = '<!-- figures of the tasks -->';
const end = '<!-- end of the tasks -->';

/** Whether a run was right and within its bounds; else what is wrong. */
export function verdict({ task: { most }, traffic, fault }: Run): string | null {
  if (fault !== null) return fault;
  const tokens = traffic.sent + traffic.received;
  if (traffic.calls > most.calls) return `${traffic.calls} calls, at most ${most.calls} are allowed`;
  return tokens > most.tokens ? `${tokens} tokens, at most ${most.tokens} are allowed` : null;
}

/** The runs as tables of Markdown, one for each group, with their sums. Groups without a run are left out. */
export function tablesOf(groups: readonly TaskGroup[], runs: readonly Run[]): string {
  const tables = groups.flatMap(({ title, tasks, before }) => {
    const done = runs.filter(({ task }) => tasks.includes(task));
    if (done.length === 0) return [];
    const table = [`### ${title}`, tableOf(done)];
    return before === undefined || done.length < tasks.length ? table : [...table, comparison(done, before)];
  });
  const outcomes = (['right', 'partly', 'wrong'] as const).map(
    (outcome) => `${runs.filter((run) => run.outcome === outcome).length} ${outcome}`,
  );
  const sums = `${sumOf(runs, 'calls')} calls, ${kilobytes(sumOf(runs, 'bytesReceived'))} KB and ${sumOf(runs, 'received')} tokens of answers`;
  return [...tables, `All ${runs.length} tasks: ${outcomes.join(', ')}; ${sums}.`].join('\n\n');
}

/** The page with the tables in place of those between its marks. */
export function withTables(page: string, tables: string, how: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error('docs/performance.md has no place for the tasks');
  return `${page.slice(0, from)}${begin}\n\n${tables}\n\n${how}\n\n${page.slice(to)}`;
}

const counted = ['calls', 'wasted', 'bytesReceived', 'sent', 'received'] as const;

function tableOf(runs: readonly Run[]): string {
  const right = runs.filter(({ outcome }) => outcome === 'right').length;
  const lines = [
    ['task', 'request', 'outcome', 'calls', 'refused', 'bytes of answers', 'tokens sent', 'tokens of answers'],
    ...runs.map(({ task, traffic, outcome }) => [
      task.id,
      shortened(task.ask),
      outcome === 'right' ? 'right' : `**${outcome}**`,
      ...counted.map((name) => String(traffic[name])),
    ]),
    [`${runs.length} tasks`, '', `${right} right`, ...counted.map((name) => String(sumOf(runs, name)))],
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = lines;
  return [row(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(row)].join('\n');
}

function comparison(runs: readonly Run[], before: NonNullable<TaskGroup['before']>): string {
  const [calls, size] = [sumOf(runs, 'calls'), kilobytes(sumOf(runs, 'bytesReceived'))];
  const share = (now: number, then: number) => `${Math.round((now / then) * 100)} %`;
  return [
    `An assistant with version 0.2 needed ${before.calls} calls and ${before.kilobytes} KB of answers for requests of these kinds;`,
    `these are ${share(calls, before.calls)} of its calls and ${share(size, before.kilobytes)} of its bytes. Aims: at most 60 % and 40 %.`,
  ].join('\n');
}

const kilobytes = (bytes: number) => Math.round(bytes / 1_000);

const sumOf = (runs: readonly Run[], name: (typeof counted)[number]) =>
  runs.reduce((total, { traffic }) => total + traffic[name], 0);

/** The first words of a request, in one cell of a table. */
export function shortened(text: string): string {
  const plain = text.replaceAll('|', '/').replaceAll(/\s+/g, ' ');
  return plain.length <= 80 ? plain : `${plain.slice(0, plain.lastIndexOf(' ', 78))} …`;
}
