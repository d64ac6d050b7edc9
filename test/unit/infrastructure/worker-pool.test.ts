import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JobEnded, WorkerPool } from '#infrastructure/workers/worker-pool.ts';

let folder: string;
let pool: WorkerPool;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-pool-'));
  const path = join(folder, 'slow-to-load.mjs');
  // Each thread counts from its own start how often it was given something.
  const text = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    let jobs = 0;
    export default () => (jobs += 1);`;
  await writeFile(path, text);
  pool = new WorkerPool({
    module: pathToFileURL(path).href,
    maxThreads: 1,
    maxJobMs: 1,
    maxWaiting: 8,
    maxMemoryMb: 64,
  });
});
afterEach(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

it('ends a job whose time is over before a thread has started', async () => {
  await expect(pool.run('job')).rejects.toBeInstanceOf(JobEnded);
});

it('is ready when a thread has started, which is started once however many wait for it', async () => {
  await Promise.all([pool.ready(), pool.ready(), pool.ready()]);
  await pool.ready();
  expect(await pool.run('job', 60_000)).toBe(2);
});

it('starts a thread again when the last has ended', async () => {
  await expect(pool.run('job')).rejects.toBeInstanceOf(JobEnded);
  await pool.ready();
  expect(await pool.run('job', 60_000)).toBe(2);
});
