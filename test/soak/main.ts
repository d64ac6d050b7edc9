import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStand } from '#test/faults/stand.ts';
import { growth, type Reading, readingOf, slope } from '#test/soak/figures.ts';
import { type Done, type Extra, keepBusy } from '#test/soak/load.ts';
import { registerClients } from '#test/soak/strangers.ts';
import { durationMs } from '#test/support/measures/duration.ts';

/*
 * `npm run soak -- 30m [strangers] [fuzz]`: one real server under a moderate load of tools, deliveries, streams and pages; with
 * `strangers` also under sign-ups by nobody, after as many as a server keeps, with `fuzz` under generated requests. Prints each minute
 * what the process takes, and in the end by how much that grew in the last ten minutes, or in the second half of a shorter run. Of 20
 * minutes and more it ends with 1 when the heap after a collection or the resident memory grew by more than 3 % by regression.
 * SOAK_EVERY (1m) is how often it is read.
 */
const [length = '15m', ...words] = process.argv.slice(2);
const lengthMs = durationMs(length);
const everyMs = durationMs(process.env['SOAK_EVERY'] ?? '1m');
const maxGrowth = 0.03;
const judgedMinutes = 10;
const isExtra = (word: string): word is Extra => word === 'strangers' || word === 'fuzz';
const extras = words.filter(isExtra);

const folder = await mkdtemp(join(tmpdir(), 'portolan-soak-'));
const socket = join(folder, 'heap');
const preload = new URL('collect.ts', import.meta.url).href;
await using stand = await openStand({
  env: {
    SOAK_SOCKET: socket,
    NODE_OPTIONS: `--import ${preload}`,
    // As the starter sets it (RUN-051).
    MALLOC_ARENA_MAX: '2',
    // Strangers would otherwise be refused from the second minute on.
    ...(extras.length > 0 ? { RATE_LIMITS: 'off' } : {}),
  },
});
if (extras.includes('strangers')) await registerClients(stand);
const done: Done = {
  tools: 0,
  deliveries: 0,
  streams: 0,
  pages: 0,
  strangers: 0,
  hostile: 0,
  failures: 0,
  reasons: new Map(),
};
const ending = new AbortController();
const load = keepBusy(stand, { done, extras, signal: ending.signal });
const readings: Reading[] = [];
write(
  'minute  resident MB  heap MB  handles  loop delay ms   tools  deliveries  streams   pages  strangers  hostile  failures',
);
const begunAt = Date.now();
while (Date.now() - begunAt < lengthMs) {
  await delay(Math.min(everyMs, lengthMs));
  const server = { baseUrl: stand.baseUrl, pid: stand.server().pid, socket };
  const reading = await readingOf(server, (Date.now() - begunAt) / 60_000);
  readings.push(reading);
  write(lineOf(reading));
}
ending.abort();
await load;
const last = readings.at(-1)?.minute ?? 0;
const from = Math.max(last - judgedMinutes, last / 2);
const judged = readings.filter(({ minute }) => minute >= from);
const grown = {
  'resident memory': growth(judged, ({ residentMb }) => residentMb),
  'heap after a collection': growth(judged, ({ heapMb }) => heapMb),
};
write(`The last ${(last - from).toFixed(1)} minutes, by regression:`);
for (const [what, share] of Object.entries(grown)) {
  write(`  ${what} grew by ${(share * 100).toFixed(1)} %${share > maxGrowth ? ': not level' : ''}`);
}
write(`  open files and connections grew by ${slope(judged, ({ handles }) => handles ?? 0).toFixed(2)} a minute`);
for (const [reason, times] of done.reasons) write(`Failed ${times} times: ${reason}`);
await rm(folder, { recursive: true, force: true });
// A server warms up for as long again before that.
const isJudged = last >= 2 * judgedMinutes;
const isLevel = Object.values(grown).every((share) => share <= maxGrowth);
process.exitCode = done.failures > 0 || (isJudged && !isLevel) ? 1 : 0;

function lineOf({ minute, residentMb, heapMb, handles, loopDelayMs }: Reading): string {
  const figures: readonly (readonly [string | number | null, number])[] = [
    [minute.toFixed(1), 6],
    [residentMb.toFixed(1), 12],
    [heapMb.toFixed(1), 8],
    [handles, 8],
    [loopDelayMs?.toFixed(0) ?? null, 14],
    [done.tools, 7],
    [done.deliveries, 11],
    [done.streams, 8],
    [done.pages, 7],
    [done.strangers, 10],
    [done.hostile, 8],
    [done.failures, 9],
  ];
  return figures.map(([value, width]) => String(value ?? '–').padStart(width)).join(' ');
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
