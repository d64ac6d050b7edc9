import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

setFlagsFromString('--expose-gc');
const collect = z.function().parse(runInNewContext('gc'));

/** What is alive on the heap, in bytes, after the garbage is gone. */
export async function livingHeap(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    // Weak references and finalizers are settled between two turns of the loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
