import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

it('the pool ends a job whose time is over before a thread has started', async () => {
  await expect(pool.run('job')).rejects.toBeInstanceOf(JobEnded);
});

it('the pool is ready when a thread has started, which is started once however many wait for it', async () => {
  await Promise.all([pool.ready(), pool.ready(), pool.ready()]);
  await pool.ready();
  expect(await pool.run('job', 60_000)).toBe(2);
});

describe('a limit of processor time', () => {
  let jobs: WorkerPool;
  beforeEach(async () => {
    const path = join(folder, 'works.mjs');
    const text = `const cell = new Int32Array(new SharedArrayBuffer(4));
      export default (job) => {
        if (job === 'wait') Atomics.wait(cell, 0, 0, 1_000);
        if (job === 'spin') for (;;);
        if (job === 'match') /^(a+)+$/.test('a'.repeat(64) + 'b');
        return job;
      };`;
    await writeFile(path, text);
    const module = pathToFileURL(path).href;
    jobs = new WorkerPool({ module, maxThreads: 1, maxJobMs: 60_000, maxWaiting: 8, maxMemoryMb: 64 });
  });
  afterEach(() => jobs.close());

  it('ends the job that exceeds it, and none that waits for its turn or for the clock', async () => {
    const ended = ['spin', 'match'].map((job) => expect(jobs.runFor(job, 200)).rejects.toBeInstanceOf(JobEnded));
    const waited = jobs.runFor('wait', 200);
    await Promise.all(ended);
    expect(await waited).toBe('wait');
  });
});

describe('jobs that wait for a thread', () => {
  let jobs: WorkerPool;
  beforeEach(async () => {
    const path = join(folder, 'spins.mjs');
    await writeFile(path, "export default (job) => { if (job === 'spin') for (;;); return job; };");
    const module = pathToFileURL(path).href;
    jobs = new WorkerPool({ module, maxThreads: 2, maxJobMs: 20_000, maxWaiting: 2, maxMemoryMb: 64 });
  });
  afterEach(() => jobs.close());

  it('get one when the earlier jobs were ended with all threads', async () => {
    const ended = [1, 2].map(() => expect(jobs.run('spin', 2_000)).rejects.toBeInstanceOf(JobEnded));
    const waiting = [jobs.run('first'), jobs.run('second')];
    await Promise.all(ended);
    expect(await Promise.all(waiting)).toEqual(['first', 'second']);
  });

  it('are at most as many as the pool allows', async () => {
    const [one, two] = [jobs.run('spin', 2_000), jobs.run('spin', 2_000)];
    const waiting = [jobs.run('first'), jobs.run('second')];
    await expect(jobs.run('third')).rejects.toThrow('Too many jobs');
    expect((await Promise.allSettled([one, two])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all(waiting)).toEqual(['first', 'second']);
  });
});

it('the pool starts a thread again when the last has ended', async () => {
  await expect(pool.run('job')).rejects.toBeInstanceOf(JobEnded);
  await pool.ready();
  expect(await pool.run('job', 60_000)).toBe(2);
});
