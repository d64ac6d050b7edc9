import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { figures } from '#test/support/webhooks/webhook-server.ts';

/** What a server process takes at a moment: MB, and a number of open handles. Null where the system does not report it. */
export type Reading = Readonly<{
  minute: number;
  residentMb: number;
  /** In use after a garbage collection. */
  heapMb: number;
  handles: number | null;
  /** The largest delay of its event loop since the last reading, ms, as far as it reports it. */
  loopDelayMs: number | null;
}>;

const mebibyte = 1_048_576;

/** Reads what the process reports by /metrics and, after a garbage collection, at `socket`, and the system of it. */
export async function readingOf(
  { baseUrl, pid, socket }: Readonly<{ baseUrl: string; pid: number; socket: string }>,
  minute: number,
): Promise<Reading> {
  const process = await figures(baseUrl, 'process_');
  const node = await figures(baseUrl, 'nodejs_');
  const mb = (bytes: number | undefined) => (bytes === undefined ? null : bytes / mebibyte);
  const delayS = node['nodejs_eventloop_lag_max_seconds'] ?? node['nodejs_eventloop_lag_p99_seconds'];
  return {
    minute,
    residentMb: mb(process['process_resident_memory_bytes']) ?? 0,
    heapMb: Number(await overSocket(socket)) / mebibyte,
    handles: await openFiles(pid),
    loopDelayMs: delayS === undefined ? null : delayS * 1_000,
  };
}

async function overSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/' }, (response) => void text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });
}

/** How many files and connections the process has open, on Linux. */
async function openFiles(pid: number): Promise<number | null> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => null);
  return open?.length ?? null;
}

/** By how much a value grows a minute over readings, by least squares; 0 for fewer than two. */
export function slope(readings: readonly Reading[], of: (reading: Reading) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  if (readings.length < 2) return 0;
  const [x, y] = [mean(readings.map(({ minute }) => minute)), mean(readings.map(of))];
  const over = readings.reduce((sum, reading) => sum + (reading.minute - x) * (of(reading) - y), 0);
  return over / readings.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}

/** By how much of its mean a value grows over readings, by the same regression: 0.03 is 3 %. */
export function growth(readings: readonly Reading[], of: (reading: Reading) => number): number {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const mean = readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length;
  return mean === 0 ? 0 : (slope(readings, of) * (last.minute - first.minute)) / mean;
}
