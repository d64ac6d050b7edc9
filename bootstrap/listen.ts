import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { PacedRequests } from '#bootstrap/paced-requests.ts';
import { codeOf, StartError } from '#bootstrap/start/first-start.ts';
import { HeldRequests } from '#bootstrap/start/held-requests.ts';
import { atMost } from '#bootstrap/stop/stop-budget.ts';

/** A listening server. Until `serve` is called, requests wait. */
export type Listening = Readonly<{
  server: Server;
  port: number;
  /** Passes the requests that wait, and all further ones, to the app. */
  serve(listener: RequestListener): void;
  /**
   * Goes on taking requests for `ms`, and ends each connection after its request, so that hardly any is open when the
   * port is closed.
   */
  drain(ms: number): Promise<void>;
  /**
   * Stops accepting connections, closes each connection after its running request, and disconnects the rest after
   * `maxWaitMs`.
   */
  close(maxWaitMs: number): Promise<void>;
}>;

/** The time limit for receiving a complete request, in ms; the app limits most bodies further (EDGE-017). */
const maxRequestMs = 960_000;
/**
 * How many connections the system holds until the event loop accepts them; Linux has 4,096 at most by default. With Node's 511, of all
 * clients that come back at once most would be dropped, to try again after 1, 3 or 7 s.
 */
const maxUnaccepted = 4_096;
/**
 * Listens on the address; port 0 takes a free one. The error for a port in use contains the remedy. Connections beyond
 * `maxConnections` are closed; each listening client has one.
 */
export async function listen(host: string, port: number, maxConnections: number): Promise<Listening> {
  const held = new HeldRequests();
  const paced = new PacedRequests();
  let current: RequestListener = held.listener;
  let isDraining = false;
  const unused = new Set<Socket>();
  const running = new Set<ServerResponse>();
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: maxRequestMs }, (request, response) => {
    unused.delete(request.socket);
    running.add(response);
    response.once('close', () => running.delete(response));
    if (isDraining) endsConnection(server, response);
    current(request, response);
  });
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    paced.accepted();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartError(errorText(codeOf(error), host, port))));
    server.listen(port, host, maxUnaccepted, resolve);
  });
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    serve: (listener) => {
      current = paced.to(listener);
      held.passTo(current);
    },
    drain: async (ms) => {
      if (ms === 0) return;
      isDraining = true;
      await sleep(ms);
    },
    close: (maxWaitMs) => {
      isDraining = true;
      held.refuse();
      return close(server, { unused, running }, maxWaitMs);
    },
  };
}

function errorText(code: string, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `PORT: ${port} is in use on ${host}. Stop the other program, or set PORT to a free port.`;
  if (code === 'EACCES') return `PORT: ${port} may not be opened by this user. Set PORT to 1024 or above.`;
  if (code === 'EADDRNOTAVAIL') return `HOST: ${host} is not this machine’s address. Set HOST to 127.0.0.1 or 0.0.0.0.`;
  return `HOST, PORT: ${host}:${port} cannot be opened for listening (${code}).`;
}

type Open = Readonly<{ unused: ReadonlySet<Socket>; running: ReadonlySet<ServerResponse> }>;

async function close(server: Server, { unused, running }: Open, maxWaitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const response of running) endsConnection(server, response);
  server.closeIdleConnections();
  // A request that has arrived is read in the next turn of the loop.
  await setImmediate();
  // Browsers and HTTP clients open connections in advance; Node does not treat one without a request as idle.
  for (const socket of unused) socket.destroy();
  const cut = setTimeout(() => server.closeAllConnections(), maxWaitMs);
  await closed;
  clearTimeout(cut);
}

/** Servers whose idle connections are closed at the end of this turn. */
const sweeping = new WeakSet<Server>();

/** Closes the connection after this response; the head says so if it has not been sent yet. */
function endsConnection(server: Server, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.once('close', () => {
    // Each sweep looks at all connections, and thousands of streams end in one turn.
    if (!sweeping.has(server)) void sweep(server);
  });
}

async function sweep(server: Server): Promise<void> {
  sweeping.add(server);
  await setImmediate();
  sweeping.delete(server);
  server.closeIdleConnections();
}

const stopping = '{"error":"unavailable","error_description":"The server is stopping."}';

/** Tracks the running requests of a listener, on any server it is mounted on. */
export class RunningRequests {
  readonly listener: RequestListener;
  readonly #running = new Set<ServerResponse>();
  #isStopping = false;
  #onIdle: () => void = () => {};

  constructor(listener: RequestListener) {
    this.listener = (request, response) => {
      if (this.#isStopping) {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' });
        response.end(stopping);
        return;
      }
      this.#running.add(response);
      response.once('close', () => {
        this.#running.delete(response);
        if (this.#running.size === 0) this.#onIdle();
      });
      listener(request, response);
    };
  }

  /** Answers further requests with 503 and waits for the running ones, at most `maxWaitMs`. */
  async drain(maxWaitMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await atMost(maxWaitMs, idle);
  }
}
