import { type FaultRow, isHeld, type Measured } from '#test/faults/row.ts';

/** What was measured of a row, or why it could not be. */
export type Result = Readonly<{ row: FaultRow; measured: Measured }>;

const head = ['fault', 'load', 'acknowledged', 'lost', 'doubled', 'recovered after', 'holds'];

/** The results as a table in Markdown, and what did not hold below it. */
export function tableOf(results: readonly Result[]): string {
  const cells = [head, head.map(() => '---'), ...results.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) => {
    const padded = line.map((cell, column) =>
      cell === '---' ? '-'.repeat(widths[column] ?? 3) : cell.padEnd(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  });
  return `${[...lines, ...results.flatMap(problemsOf)].join('\n')}\n`;
}

/** What did not hold of a row, in a line each. */
export function problemsOf({ row, measured }: Result): readonly string[] {
  if (isHeld(measured)) return [];
  return [
    `\n${row.subject} / ${row.fault} does not hold: ${row.holds}`,
    ...counted(measured.problems).map((problem) => `  - ${problem}`),
  ];
}

/** Each problem once, with how often it was met. */
export function counted(problems: readonly string[]): readonly string[] {
  const times = Map.groupBy(problems, (problem) => problem);
  return [...times].map(([problem, { length }]) => (length === 1 ? problem : `${problem} (×${length})`));
}

function cellsOf({ row, measured }: Result): readonly string[] {
  const { load, acknowledged, lost, doubled, recoveredAfterMs } = measured;
  const recovered = recoveredAfterMs === null ? '–' : `${(recoveredAfterMs / 1000).toFixed(1)} s`;
  const fault = `${row.subject}: ${row.fault}`;
  return [fault, load, ...[acknowledged, lost, doubled].map(String), recovered, isHeld(measured) ? 'yes' : 'NO'];
}
