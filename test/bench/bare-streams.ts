import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** Bare node:http that reads each request to its end and answers with a stream that stays open. */
export async function startBareStreams() {
  const server = await serveOnLoopback((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    response.write(': open\n\n');
  });
  return { ...server, headers: {} };
}
