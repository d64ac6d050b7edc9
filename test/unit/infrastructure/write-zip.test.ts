import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { writeZip, type ZipWriter } from '#infrastructure/archive/write-zip.ts';
import { livingHeap } from '#test/support/measures/heap.ts';

const folder = await mkdtemp(join(tmpdir(), 'portolan-zip-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const entries = 400;
/** What an entry of an archive may keep until the archive is complete, in bytes: its name, size and digest, and not its streams. */
const maxKept = 4_000;

async function addEntries(zip: ZipWriter, from: number): Promise<void> {
  for (let n = from; n < from + entries; n += 1) {
    await zip.addStream(`notes/A note of number ${n}.md`, () => Readable.from([Buffer.alloc(3_000, `note ${n} `)]));
  }
}

it('an archive keeps little of each entry that was written', async () => {
  const kept = { heap: Number.POSITIVE_INFINITY, buffers: Number.POSITIVE_INFINITY };
  await writeZip(join(folder, 'notes.zip'), async (zip) => {
    // What the first entries compile and fill stays.
    await addEntries(zip, 0);
    const heap = await livingHeap();
    const { arrayBuffers } = process.memoryUsage();
    await addEntries(zip, entries);
    kept.heap = (await livingHeap()) - heap;
    kept.buffers = process.memoryUsage().arrayBuffers - arrayBuffers;
  });
  expect(kept.heap / entries).toBeLessThan(maxKept);
  expect(kept.buffers / entries).toBeLessThan(maxKept);
});

it('the pool of small buffers is as before when the archive is written', async () => {
  const { poolSize } = Buffer;
  await writeZip(join(folder, 'empty.zip'), async () => undefined);
  expect(Buffer.poolSize).toBe(poolSize);
});
