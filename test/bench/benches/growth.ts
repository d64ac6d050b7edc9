import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '#test/bench/bench.ts';
import { asked } from '#test/bench/growth/asked.ts';
import { cellsOf, compareAsked, head } from '#test/bench/growth/measure.ts';
import { jobLines } from '#test/bench/growth/measure-jobs.ts';
import { startSide } from '#test/bench/growth/side.ts';
import { firstWeek, grownSize } from '#test/bench/growth/size.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

const idleMs = 3_000;

const noDatabases = { urls: [], [Symbol.asyncDispose]: () => Promise.resolve() };

/** Two empty PostgreSQL servers, since `/metrics` and the statistics are of a whole one. */
async function twoDatabases() {
  const all = [await startEmbeddedPostgres(), await startEmbeddedPostgres()];
  return {
    urls: all.map(({ url }) => url),
    [Symbol.asyncDispose]: async () => {
      for (const one of all) await one.stop();
    },
  };
}

/** What is measured: everything, or what BENCH_ONLY names, by the starts of names with commas between; `jobs` are all but the pages. */
const wanted = process.env['BENCH_ONLY']?.split(',');
const isWanted = (name: string): boolean =>
  wanted?.some((start) => name.startsWith(start) || (start === 'jobs' && !name.startsWith('/'))) !== false;

/**
 * A server that is a year old beside a new one: every page, list, filter, search, export and job. `BENCH_SCALE` (1) is the part of a
 * year; `BENCH_DATABASE=postgres` has a tenth of that on PostgreSQL.
 */
export const bench: Bench = {
  name: 'growth',
  run: async () => [],
  grid: async () => {
    const scale = Number(process.env['BENCH_SCALE'] ?? 1);
    const isPostgres = process.env['BENCH_DATABASE'] === 'postgres';
    await using databases = isPostgres ? await twoDatabases() : noDatabases;
    await using old = await startSide(grownSize(isPostgres ? scale / 10 : scale), databases.urls[0]);
    await using fresh = await startSide(firstWeek, databases.urls[1]);
    await delay(idleMs);
    old.beats();
    await delay(idleMs);
    const idle = Math.max(0, ...old.beats().map(({ tookMs }) => tookMs));
    const lines: (readonly string[])[] = [['nothing', '–', '–', '–', '–', '–', `${idle.toFixed(1)} ms`]];
    for (const one of asked.filter(({ name }) => isWanted(name))) {
      const compared = await compareAsked(one, old, fresh);
      process.stderr.write(
        `${[...cellsOf(compared), compared.old.status, compared.new.status, compared.old.bytes, compared.new.bytes].join(' | ')}\n`,
      );
      lines.push(cellsOf(compared));
    }
    for await (const line of jobLines({ old, fresh, idleMs: idle }, isWanted)) {
      process.stderr.write(`${line.join(' | ')}\n`);
      lines.push(line);
    }
    return { head, lines };
  },
};
