import { connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

// The thread of `farProxy`: hands on what it is sent, later; says on which port it listens.
const { targetPort, delayMs } = z
  .object({ targetPort: z.number(), delayMs: z.instanceof(Int32Array) })
  .parse(workerData);

const server = createServer((incoming) => {
  const outgoing = connect(targetPort, '127.0.0.1');
  for (const [from, to] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const) {
    from.setNoDelay(true);
    const later = inOrder();
    from.on('data', (chunk) => later(() => to.write(chunk)));
    from.on('error', () => undefined);
    from.on('close', () => later(() => to.destroy()));
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : null, []);
});

/** Runs what it is given after the delay, each after what it was given earlier. */
function inOrder(): (run: () => void) => void {
  const waiting: Readonly<{ at: number; run: () => void }>[] = [];
  const runDue = () => {
    while (waiting[0] !== undefined && waiting[0].at <= performance.now()) waiting.shift()?.run();
    if (waiting[0] !== undefined) runLater(waiting[0].at);
  };
  const runLater = (at: number) => setTimeout(runDue, Math.max(1, Math.ceil(at - performance.now())));
  return (run) => {
    const at = Math.max(waiting.at(-1)?.at ?? 0, performance.now() + Atomics.load(delayMs, 0));
    waiting.push({ at, run });
    if (waiting.length === 1) runLater(at);
  };
}
