import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Bending, Inbound, Outgoing } from '#test/kit/self-test/fault.ts';

/** A reverse proxy in front of a server, which injects faults. */
export type FaultFront = { url: string; bending: Bending | null; close(): Promise<void> };

/** How long it keeps connections that nobody uses, in ms: longer than a run, so that none is closed when a request is on its way. */
const keptMs = 3_600_000;

/** Opens it on a free port. It sends what comes on to `target`, as it is where no fault is planted. */
export async function openFront(target: string): Promise<FaultFront> {
  const server = createServer({ keepAliveTimeout: keptMs }, (incoming, response) => void answer(incoming, response));
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { status, headers, body } = await serve(incoming);
      const length = { 'content-length': String(body.byteLength) };
      response.writeHead(status, { ...withoutLength(headers), ...length } as Record<string, string>);
      response.end(body);
    } catch {
      response.destroy();
    }
  };
  const serve = async (incoming: IncomingMessage): Promise<Outgoing> => {
    const request: Inbound = {
      method: incoming.method ?? '',
      path: incoming.url ?? '/',
      headers: headersOf(incoming),
      body: await buffer(incoming),
    };
    const pass = (asked: Inbound): Promise<Outgoing> => passed(target, asked);
    return front.bending === null ? pass(request) : front.bending(request, pass);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const front: FaultFront = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    bending: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}

function passed(target: string, { method, path, headers, body }: Inbound): Promise<Outgoing> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve, reject) => {
    const sent = {
      ...withoutLength(headers),
      ...(body.byteLength > 0 ? { 'content-length': String(body.byteLength) } : {}),
    };
    const outgoing = ask({ hostname, port, method, path, headers: sent as Record<string, string> });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      buffer(incoming).then(
        (bytes) => resolve({ status: incoming.statusCode ?? 502, headers: headersOf(incoming), body: bytes }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

/** Lower-case names; a header that came several times has a list. */
function headersOf(message: IncomingMessage): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(message.headersDistinct).map(([name, values = []]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );
}

function withoutLength(headers: Inbound['headers']): Readonly<Record<string, string | readonly string[]>> {
  const dropped = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)));
}
