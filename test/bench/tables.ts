import { aimOf } from '#test/bench/aims.ts';
import type { Figure, Grid, Row } from '#test/bench/bench.ts';
import type { LoadShape } from '#test/bench/compare.ts';

/** A baseline whose rounds differ by more has had other work beside it. */
const maxSpread = 0.25;

/** How steady the baseline was, for people. */
export function steadiness({ spread }: Pick<Row, 'spread'>): string {
  const percent = `${Math.round(spread * 100)} %`;
  return spread > maxSpread ? `unsteady, by ${percent}` : `within ${percent}`;
}

/** The loads as a table for a terminal. */
export function terminalTable(rows: readonly Row[], shape: LoadShape): string {
  const head = ['load', 'req/s', 'p50 ms', 'p99 ms', 'cpu ms', 'failed'];
  head.push('bare req/s', 'bare p50', 'bare p99', 'bare cpu', 'ratio', 'cpu ratio', 'baseline');
  const lines = rows.map((row) => [
    row.load,
    Math.round(row.target.perSecond),
    row.target.p50,
    row.target.p99,
    shown(row.target.cpuMs, 3),
    row.target.failed,
    Math.round(row.bare.perSecond),
    row.bare.p50,
    row.bare.p99,
    shown(row.bare.cpuMs, 3),
    row.ratio.toFixed(2),
    shown(cpuRatio(row), 2),
    steadiness(row),
  ]);
  const cells = [head, ...lines].map((line) => line.map((cell) => String(cell ?? '-')));
  const text = aligned(cells, (cell, width) => cell.padStart(width)).map((line) => line.join('  '));
  return `${shape.connections} connections, ${shape.rounds} rounds of ${shape.seconds} s, median round\n${text.join('\n')}\n`;
}

/** The loads as a table of Markdown: ratios to the baseline by requests and by processor time, and what one request takes. */
export function loadTable(rows: readonly Row[]): string {
  const head = [
    'load',
    'requests',
    'aim',
    'processor time',
    'each',
    'baseline each',
    'p50',
    'p99',
    'baseline p99',
    'baseline',
  ];
  const lines = rows.map((row) => [
    row.load.replace(/^\w+: /, ''),
    row.ratio.toFixed(2),
    aimOf(row.load),
    shown(cpuRatio(row), 2) ?? '–',
    inMs(row.target.cpuMs),
    inMs(row.bare.cpuMs),
    inMs(row.target.p50),
    inMs(row.target.p99),
    inMs(row.bare.p99),
    steadiness(row),
  ]);
  return markdown([head, ...lines]);
}

/** The figures as a table of Markdown. */
export function figureTable(figures: readonly Figure[]): string {
  const head = ['figure', 'measured', 'baseline', 'aim'];
  const lines = figures.map(({ figure, unit, value, baseline }) => [
    figure,
    withUnit(value, unit),
    withUnit(baseline, unit),
    aimOf(figure),
  ]);
  return markdown([head, ...lines]);
}

/** A table of a bench's own as Markdown. */
export function gridTable({ head, lines }: Grid): string {
  return markdown([head, ...lines]);
}

function markdown(cells: readonly (readonly string[])[]): string {
  const [head = [], ...lines] = aligned(cells, (cell, width) => cell.padEnd(width));
  const rule = head.map((cell) => '-'.repeat(cell.length));
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function aligned(cells: readonly (readonly string[])[], pad: (cell: string, width: number) => string): string[][] {
  const columns = cells[0] ?? [];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) => line.map((cell, column) => pad(cell, widths[column] ?? 0)));
}

/** How much of the baseline's rate the target would have if processor time were all that counts; null when not known. */
function cpuRatio({ target, bare }: Row): number | null {
  return target.cpuMs === null || bare.cpuMs === null ? null : bare.cpuMs / target.cpuMs;
}

const inMs = (ms: number | null): string => (ms === null ? '–' : `${ms.toFixed(ms < 1 ? 3 : ms < 10 ? 2 : 0)} ms`);

const withUnit = (value: number | null, unit: string): string =>
  value === null ? '–' : `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;

function shown(figure: number | null, digits: number): string | null {
  return figure === null ? null : figure.toFixed(digits);
}
