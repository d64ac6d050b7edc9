import { createServer, type RequestListener } from 'node:http';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** A server on a free loopback port, and its address. */
export type LoopbackServer = Readonly<{ url: string; close(): Promise<void> }>;

/** Starts one that answers so; `close` cuts what is still open. */
export async function serveOnLoopback(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(keptConnections, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
