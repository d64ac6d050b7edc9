import type { Run } from '#test/assistant/task.ts';

const begin = '<!-- figures of the tasks -->';
const end = '<!-- end of the tasks -->';

/** Whether a run was right and within its bounds; else what is wrong. */
export function verdict({ task: { most }, traffic, fault }: Run): string | null {
  if (fault !== null) return fault;
  const tokens = traffic.sent + traffic.received;
  if (traffic.calls > most.calls) return `${traffic.calls} calls, at most ${most.calls} are allowed`;
  return tokens > most.tokens ? `${tokens} tokens, at most ${most.tokens} are allowed` : null;
}

/** The runs as a table of Markdown, with their sums. */
export function tableOf(runs: readonly Run[]): string {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const right = runs.filter(({ fault }) => fault === null).length;
  const lines = [
    ['task', 'request', 'right', 'calls', 'refused', 'tokens sent', 'tokens received'],
    ...runs.map(({ task, traffic, fault }) => [
      `${task.id}${task.mode === undefined ? '' : ` \`${task.mode}\``}`,
      shortened(task.ask),
      fault === null ? 'yes' : '**no**',
      ...[traffic.calls, traffic.wasted, traffic.sent, traffic.received].map(String),
    ]),
    [
      'all',
      '',
      `${right} of ${runs.length}`,
      ...[
        sum(({ traffic }) => traffic.calls),
        sum(({ traffic }) => traffic.wasted),
        sum(({ traffic }) => traffic.sent),
        sum(({ traffic }) => traffic.received),
      ].map(String),
    ],
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = lines;
  return [row(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(row)].join('\n');
}

/** The page with a table in place of the one between its marks. */
export function withTable(page: string, table: string, how: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error('docs/performance.md has no place for the tasks');
  return `${page.slice(0, from)}${begin}\n\n${table}\n\n${how}\n\n${page.slice(to)}`;
}

function shortened(text: string): string {
  const plain = text.replaceAll('|', '/');
  return plain.length <= 80 ? plain : `${plain.slice(0, plain.lastIndexOf(' ', 78))} …`;
}
