import type { RequestListener } from 'node:http';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** Bare node:http on a free port, as a target of load; the listener is called when a request has been read to its end. */
export async function listenBare(listener: RequestListener) {
  const server = await serveOnLoopback((request, response) => {
    request.resume().once('end', () => listener(request, response));
  });
  return { ...server, headers: {} };
}
