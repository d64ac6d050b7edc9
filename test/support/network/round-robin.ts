import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { freePort } from '#test/kit/free-port.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** A proxy that gives each request to the next server. */
export type RoundRobin = Readonly<{
  url: string;
  /** How many requests each server answered, in the order of the targets. */
  counts(): readonly number[];
  /** Leaves a server out, as health checks would, or takes it back in. */
  use(index: number, isUsed: boolean): void;
  /** Cuts every connection of clients and servers that is open now. */
  cut(): void;
  close(): Promise<void>;
}>;

/** Methods that may be sent again to another server when the first gave no answer (RFC 9110 §9.2.2). */
const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

/** Headers that belong to one connection (RFC 9110 §7.6.1). */
const ofOneConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];

/**
 * Listens on a loopback port of its own. A server that refuses the connection is passed over; one that breaks off before
 * it answers is, too, for an idempotent request without a body. Bodies and answers are passed on as they come.
 */
export async function startRoundRobin(targets: readonly string[], port?: number): Promise<RoundRobin> {
  const counts = targets.map(() => 0);
  const left = new Set<number>();
  const sockets = new Set<Socket>();
  let next = 0;

  const choose = (tried: readonly number[]): number | null => {
    for (let turn = 0; turn < targets.length; turn += 1) {
      const index = next % targets.length;
      next += 1;
      if (!left.has(index) && !tried.includes(index)) return index;
    }
    return null;
  };

  const pass = (incoming: IncomingMessage, answer: ServerResponse, tried: readonly number[]): void => {
    const index = choose(tried);
    if (index === null) {
      answer.writeHead(502, { 'content-type': 'text/plain' }).end('No server answers.\n');
      return;
    }
    let isConnected = false;
    const outgoing = request(new URL(targets[index] ?? ''), {
      agent: false,
      method: incoming.method,
      path: incoming.url,
      headers: forwardedHeaders(incoming),
    });
    outgoing.once('socket', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // Nothing of the body is read before there is a connection, so that another server can still have all of it.
      socket.once('connect', () => {
        isConnected = true;
        pipeline(incoming, outgoing, () => undefined);
      });
    });
    outgoing.once('response', (response) => {
      counts[index] = (counts[index] ?? 0) + 1;
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, namedValues(response.rawHeaders));
      answer.flushHeaders();
      pipeline(response, answer, () => undefined);
    });
    outgoing.on('error', () => {
      if (answer.headersSent || answer.destroyed) {
        answer.destroy();
        return;
      }
      const isUnsent = !isConnected || (idempotent.includes(incoming.method ?? '') && !hasBody(incoming));
      if (isUnsent) pass(incoming, answer, [...tried, index]);
      else answer.writeHead(502, { 'content-type': 'text/plain' }).end('The server broke off.\n');
    });
    answer.once('close', () => outgoing.destroy());
  };

  const server = createServer(keptConnections, (incoming, answer) => pass(incoming, answer, []));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const own = port ?? (await freePort());
  await new Promise<void>((resolve) => {
    server.listen(own, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${own}`,
    counts: () => [...counts],
    use: (index, isUsed) => void (isUsed ? left.delete(index) : left.add(index)),
    cut,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

function forwardedHeaders({ rawHeaders, socket, headers }: IncomingMessage): string[] {
  return [
    ...namedValues(rawHeaders),
    'x-forwarded-for',
    [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? ''].flat().join(', '),
    'x-forwarded-proto',
    'http',
    'connection',
    'close',
  ];
}

/** Raw headers, name and value in turn, without those of one connection. */
function namedValues(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!ofOneConnection.includes(lower) && lower !== 'x-forwarded-for' && lower !== 'x-forwarded-proto')
      kept.push(name, value);
  }
  return kept;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
