import { readdir } from 'node:fs/promises';
import type { Bench, BenchTools, Figure, Row } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { compare, type LoadShape } from '#test/bench/compare.ts';

/*
 * `npm run bench [-- name…]`: all benches of `test/bench/benches`, or those named, each beside a baseline in the same run: a bare
 * node:http echo of the same bytes, or the same work by hand. `cpu ms` is processor time for each; `baseline` says how steady the
 * baseline was. BENCH_SECONDS (3) is the length of a round, BENCH_ROUNDS (5) how many, BENCH_CONNECTIONS 32.
 */
const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const shape: LoadShape = {
  connections: setting('BENCH_CONNECTIONS', 32),
  seconds: setting('BENCH_SECONDS', 3),
  rounds: setting('BENCH_ROUNDS', 5),
};

/** A baseline whose rounds differ by more has had other work beside it. */
const maxSpread = 0.25;

const wanted = process.argv.slice(2);
const rows: Row[] = [];
const figures: Figure[] = [];
for (const bench of await benches()) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  const target = await serveInChild({ kind: 'target' });
  const beside: BenchTools['compare'] = (name, load, bare) => compare(`${bench.name}: ${name}`, load, shape, bare);
  rows.push(...(await bench.run({ target, compare: beside })));
  await target.close();
  figures.push(...((await bench.measure?.()) ?? []));
}
if (rows.length > 0) process.stdout.write(table(rows));
for (const { figure, unit, value, baseline } of figures) {
  process.stdout.write(`${figure}: ${told(value, 0)} ${unit}, beside ${told(baseline, 0)} ${unit}\n`);
}
process.exitCode = rows.some(({ target }) => target.failed > 0) ? 1 : 0;

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

function table(measured: readonly Row[]): string {
  const head = ['load', 'req/s', 'p50 ms', 'p99 ms', 'cpu ms', 'failed'];
  head.push('bare req/s', 'bare p50', 'bare p99', 'bare cpu', 'ratio', 'cpu ratio', 'baseline');
  const lines = measured.map(({ load, target, bare, ratio, spread }) => [
    load,
    Math.round(target.perSecond),
    target.p50,
    target.p99,
    told(target.cpuMs, 3),
    target.failed,
    Math.round(bare.perSecond),
    bare.p50,
    bare.p99,
    told(bare.cpuMs, 3),
    ratio.toFixed(2),
    told(target.cpuMs === null || bare.cpuMs === null ? null : bare.cpuMs / target.cpuMs, 2),
    spread > maxSpread ? `unsteady, by ${Math.round(spread * 100)} %` : `within ${Math.round(spread * 100)} %`,
  ]);
  const cells = [head, ...lines].map((line) => line.map((cell) => String(cell ?? '-')));
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const text = cells.map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
  return `${shape.connections} connections, ${shape.rounds} rounds of ${shape.seconds} s, median round\n${text.join('\n')}\n`;
}

function told(figure: number | null, digits: number): string | null {
  return figure === null ? null : figure.toFixed(digits);
}
