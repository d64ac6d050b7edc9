import { setTimeout as delay } from 'node:timers/promises';
import { openStand } from '#test/faults/stand.ts';
import { type Reading, readingOf, slope } from '#test/soak/figures.ts';
import { type Done, keepBusy } from '#test/soak/load.ts';
import { durationMs } from '#test/support/measures/duration.ts';

/*
 * `npm run soak -- 15m`: one real server under a moderate load of tools, deliveries, streams and pages. Prints each minute what the
 * process takes, and in the end by how much that grew in the second half. SOAK_EVERY (1m) is how often it is read.
 */
const lengthMs = durationMs(process.argv[2] ?? '15m');
const everyMs = durationMs(process.env['SOAK_EVERY'] ?? '1m');

await using stand = await openStand();
const done: Done = { tools: 0, deliveries: 0, streams: 0, pages: 0, failures: 0, reasons: new Map() };
const ending = new AbortController();
const load = keepBusy(stand, done, ending.signal);
const readings: Reading[] = [];
write('minute  resident MB  heap MB  handles  loop delay ms   tools  deliveries  streams   pages  failures');
const begunAt = Date.now();
while (Date.now() - begunAt < lengthMs) {
  await delay(Math.min(everyMs, lengthMs));
  const reading = await readingOf(stand.baseUrl, stand.server().pid, (Date.now() - begunAt) / 60_000);
  readings.push(reading);
  write(lineOf(reading));
}
ending.abort();
await load;
const half = readings.slice(Math.floor(readings.length / 2));
const grown = [
  `resident ${slope(half, ({ residentMb }) => residentMb).toFixed(2)} MB`,
  `heap ${slope(half, ({ heapMb }) => heapMb ?? 0).toFixed(2)} MB`,
  `handles ${slope(half, ({ handles }) => handles ?? 0).toFixed(2)}`,
];
write(`Growth a minute over the second half: ${grown.join(', ')}`);
for (const [reason, times] of done.reasons) write(`Failed ${times} times: ${reason}`);
process.exitCode = done.failures > 0 ? 1 : 0;

function lineOf({ minute, residentMb, heapMb, handles, loopDelayMs }: Reading): string {
  const figures: readonly (readonly [string | number | null, number])[] = [
    [minute.toFixed(1), 6],
    [residentMb.toFixed(1), 12],
    [heapMb?.toFixed(1) ?? null, 8],
    [handles, 8],
    [loopDelayMs?.toFixed(0) ?? null, 14],
    [done.tools, 7],
    [done.deliveries, 11],
    [done.streams, 8],
    [done.pages, 7],
    [done.failures, 9],
  ];
  return figures.map(([value, width]) => String(value ?? '–').padStart(width)).join(' ');
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
