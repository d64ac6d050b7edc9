import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '#test/kit/free-port.ts';

/** A way to a TCP server that can be cut, as when the server is stopped, or made to hang, as when its machine is. */
export type CuttableProxy = Readonly<{
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Takes connections and bytes, and hands nothing on. */
  hang(): void;
  /** As it was at first. */
  mend(): Promise<void>;
  close(): Promise<void>;
}>;

/** Listens on a port of its own that stays the same. */
export async function cuttableProxy(targetPort: number): Promise<CuttableProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isHanging = false;
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (isHanging || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = () =>
    new Promise<void>((resolve) => {
      if (server.listening) server.close(() => resolve());
      else resolve();
      for (const socket of sockets) socket.destroy();
    });
  await listen();
  return {
    port,
    cut,
    hang: () => {
      isHanging = true;
    },
    mend: async () => {
      isHanging = false;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen();
    },
    close: cut,
  };
}
