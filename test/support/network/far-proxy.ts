import { connect, createServer, type Socket } from 'node:net';

/** A way to a TCP server that is as long as it is said to be. */
export type FarProxy = Readonly<{
  port: number;
  /** How long what is sent takes in each direction, in ms; 0 at first. */
  be(ms: number): void;
  close(): Promise<void>;
}>;

/** Listens on a free port. Bytes arrive in their order, all of them as late as they were sent; nothing waits for an answer. */
export async function farProxy(targetPort: number): Promise<FarProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      const later = inOrder(() => delayMs);
      from.on('data', (chunk) => later(() => to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        later(() => to.destroy());
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    be: (ms) => {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Runs what it is given after the delay, each after what it was given earlier. */
function inOrder(delayMs: () => number): (run: () => void) => void {
  const waiting: Readonly<{ at: number; run: () => void }>[] = [];
  const runDue = () => {
    while (waiting[0] !== undefined && waiting[0].at <= performance.now()) waiting.shift()?.run();
    if (waiting[0] !== undefined) setTimeout(runDue, Math.ceil(waiting[0].at - performance.now()));
  };
  return (run) => {
    const at = Math.max(waiting.at(-1)?.at ?? 0, performance.now() + delayMs());
    waiting.push({ at, run });
    if (waiting.length === 1) setTimeout(runDue, Math.ceil(at - performance.now()));
  };
}
