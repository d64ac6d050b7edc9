import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** A way to a TCP server that is as long as it is said to be. */
export type FarProxy = Readonly<{
  port: number;
  /** How long what is sent takes in each direction, in ms; 0 at first. */
  be(ms: number): void;
  close(): Promise<void>;
}>;

/**
 * Listens on a free port. Bytes arrive in their order, all of them as late as they were sent; nothing waits for an answer.
 * It has a thread of its own, so that it is not later than that while the tests are busy.
 */
export async function farProxy(targetPort: number): Promise<FarProxy> {
  const delayMs = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('far-proxy-thread.ts', import.meta.url), { workerData: { targetPort, delayMs } });
  const [port] = z.tuple([z.number()]).parse(await once(worker, 'message'));
  return {
    port,
    be: (ms) => void Atomics.store(delayMs, 0, ms),
    close: async () => void (await worker.terminate()),
  };
}
