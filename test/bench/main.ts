import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Bench, BenchTools } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { compare, type LoadShape } from '#test/bench/compare.ts';
import { benchesOfPage, type Measured, writePage } from '#test/bench/page.ts';
import { gridTable, terminalTable } from '#test/bench/tables.ts';

/*
 * `npm run bench [-- name…]`: all benches of `test/bench/benches`, or those named, each next to a baseline in the same run: a bare
 * node:http echo of the same bytes, or the same work by hand. `cpu ms` is processor time for each; `baseline` says how steady the
 * baseline was. With `--write` the tables of docs/performance.md are made of it, all of them when no bench is named (`all` says so
 * too). `--scale 0.1` is for `growth`: a tenth of a year; BENCH_ONLY=/users,claims measures only what begins with that, BENCH_ONLY=jobs no pages. BENCH_SECONDS (3) is the length of a round, BENCH_ROUNDS (5) how many, BENCH_CONNECTIONS 32.
 */
const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const shape: LoadShape = {
  connections: setting('BENCH_CONNECTIONS', 32),
  seconds: setting('BENCH_SECONDS', 3),
  rounds: setting('BENCH_ROUNDS', 5),
};

const { values, positionals: words } = parseArgs({
  args: process.argv.slice(2).map((word) => (word === '--write' ? 'write' : word)),
  options: { scale: { type: 'string' } },
  allowPositionals: true,
});
if (values.scale !== undefined) process.env['BENCH_SCALE'] = values.scale;
const isWritten = words.includes('write');
const named = words.filter((word) => word !== 'write' && word !== 'all');
const wanted = isWritten && named.length === 0 ? await benchesOfPage() : named;
const measured: Measured[] = [];
for (const bench of await benches()) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  const target = await serveInChild({ kind: 'target' });
  const beside: BenchTools['compare'] = (name, load, bare) => compare(`${bench.name}: ${name}`, load, shape, bare);
  const rows = await bench.run({ target, compare: beside });
  await target.close();
  const grid = await bench.grid?.();
  const figures = (await bench.measure?.()) ?? [];
  const one = { bench: bench.name, rows, figures, ...(grid === undefined ? {} : { grid }) };
  measured.push(one);
  show(one);
  if (isWritten) await writePage([one], `median of ${shape.rounds} rounds`);
}
process.exitCode = measured.some(({ rows }) => rows.some(({ target }) => target.failed > 0)) ? 1 : 0;

function show({ rows, figures, grid }: Measured): void {
  if (rows.length > 0) process.stdout.write(terminalTable(rows, shape));
  if (grid !== undefined) process.stdout.write(`${gridTable(grid)}\n`);
  for (const { figure, unit, value, baseline } of figures) {
    process.stdout.write(`${figure}: ${shown(value)} ${unit}, beside ${shown(baseline)} ${unit}\n`);
  }
}

async function benches(): Promise<readonly Bench[]> {
  const folder = new URL('benches/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  return Promise.all(
    files.map(async (name) => {
      const { bench }: { bench: Bench } = await import(new URL(name, folder).href);
      return bench;
    }),
  );
}

function shown(figure: number | null): string {
  return figure === null ? '-' : figure.toFixed(figure < 10 ? 2 : 0);
}
