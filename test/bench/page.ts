import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import type { Figure, Grid, Row } from '#test/bench/bench.ts';
import { figureTable, gridTable, loadTable, steadiness } from '#test/bench/tables.ts';

const page = new URL('../../docs/performance.md', import.meta.url);
const end = '<!-- end of figures -->';

/** What one bench measured. */
export type Measured = Readonly<{ bench: string; rows: readonly Row[]; figures: readonly Figure[]; grid?: Grid }>;

/**
 * Writes the tables of `docs/performance.md` that stand between `<!-- figures of NAME -->` and `<!-- end of figures -->`; what the page
 * says besides stays. Throws for a bench that has no place there.
 */
export async function writePage(measured: readonly Measured[], rounds: string): Promise<void> {
  let text = await readFile(page, 'utf8');
  for (const one of measured) text = withFigures(text, one, rounds);
  await writeFile(page, text);
}

/** The names of the benches that the page shows. */
export async function benchesOfPage(): Promise<readonly string[]> {
  return [...(await readFile(page, 'utf8')).matchAll(/^<!-- figures of (\w+) -->$/gm)].map(([, name = '']) => name);
}

/** The page with a bench's tables, and how they were measured. */
export function withFigures(text: string, { bench, rows, figures, grid }: Measured, rounds: string): string {
  const begin = `<!-- figures of ${bench} -->\n`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end, text.indexOf(begin))];
  if (from === -1 || to === -1) throw new Error(`docs/performance.md has no place for the figures of ${bench}`);
  const tables = [
    ...(rows.length > 0 ? [loadTable(rows)] : []),
    ...(figures.length > 0 ? [figureTable(figures)] : []),
    ...(grid === undefined ? [] : [gridTable(grid)]),
  ];
  const notes = [howMeasured(rounds), unsteadiness(rows)].filter((sentence) => sentence !== '').join(' ');
  return `${text.slice(0, from)}${begin}\n${tables.join('\n\n')}\n\n${notes}\n\n${text.slice(to)}`;
}

function howMeasured(rounds: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const [load = 0] = loadavg();
  return `Measured on ${date} with Node ${process.version} on ${availableParallelism()} cores, ${rounds}; the load average was ${load.toFixed(1)} at the end.`;
}

function unsteadiness(rows: readonly Row[]): string {
  const unsteady = rows.filter((row) => steadiness(row).startsWith('unsteady')).length;
  if (unsteady === 0) return '';
  return `The machine had other work: ${unsteady} of ${rows.length} baselines were unsteady, and their ratios by requests say little.`;
}
