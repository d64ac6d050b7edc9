import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/*
 * A thread with clients that each keep a stream open: a third HTTP with SSE, a third a session of Streamable HTTP, a third
 * `subscriptions/listen`. One whose stream is cut comes back as the SDK's clients do. It reports when all are open, when all have had an
 * event, and what a client could not retry.
 */
const orderSchema = z.object({
  hostname: z.string(),
  port: z.number(),
  count: z.number(),
  tokens: z.array(z.string()),
  isBare: z.boolean(),
  uri: z.string(),
});
const { hostname, port, count, tokens, isBare, uri } = orderSchema.parse(workerData);
const say = (message: string): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
};
/** How many clients open their streams at the same time at first; after a cut all do. */
const atOnce = 100;
/** How long a client waits before it comes back, in ms, and by what the next wait is longer, as in the SDK. */
const comesBack = { firstMs: 1_000, times: 1.5, mostMs: 30_000 } as const;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const opening = new Set<number>(Array.from({ length: count }, (_, number) => number));
let wanted: string | null = null;
let had = new Set<number>();
let isClosing = false;

const rpc = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const initialize = rpc(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'bench', version: '1' },
});
const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const subscribe = rpc(2, 'resources/subscribe', { uri });
const listen = rpc(1, 'subscriptions/listen', {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
  notifications: { resourceSubscriptions: [uri] },
});

/** The client has to come back later; `afterMs` is what the server said, null when it said nothing. */
class Later extends Error {
  readonly afterMs: number | null;

  constructor(afterMs: number | null) {
    super('later');
    this.afterMs = afterMs;
  }
}

type Posted = Readonly<{ status: number; session: string | null }>;

function post(number: number, path: string, body: string, headers: Readonly<Record<string, string>>): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method: 'POST', agent, headers: { ...commonOf(number), ...headers } });
    sent.on('error', () => reject(new Later(null)));
    sent.on('response', (response) => void answered(response).then(resolve, reject));
    sent.end(body);
  });
}

async function answered(response: IncomingMessage): Promise<Posted> {
  const { statusCode: status = 0, headers } = response;
  const said = await text(response).catch(() => {
    throw new Later(null);
  });
  if (status >= 300) throw refusal(status, headers['retry-after'], said);
  const session = headers['mcp-session-id'];
  return { status, session: session === undefined ? null : String(session) };
}

const commonOf = (number: number) => ({
  Authorization: `Bearer ${tokens[number % tokens.length] ?? ''}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

function refusal(status: number, retryAfter: string | undefined, answered: string): Error {
  const isForLater = (status === 503 || status === 429) && retryAfter !== undefined;
  return isForLater ? new Later(Number(retryAfter) * 1_000) : new Error(`${status} ${answered.slice(0, 200)}`);
}

type Stream = Readonly<{ socket: Socket; status: number; retryAfter: string | undefined }>;

type Heard = (chunk: string | null) => void;

/** Opens a stream; `heard` gets what comes on it, with its head, and null when it is cut. */
function openStream(number: number, head: string, body: string, heard: Heard): Promise<Stream> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const socket = connect(port, hostname, () => {
      const common = Object.entries(commonOf(number)).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`${head}\r\nHost: ${hostname}:${port}\r\n${common.join('')}${length}\r\n${body}`);
    });
    socket.on('data', (chunk) => {
      const said = String(chunk);
      if (!isOpen) {
        isOpen = true;
        const status = Number(said.slice(9, 12));
        const retryAfter = /^retry-after: (\d+)/im.exec(said)?.[1];
        // What opens comes back when it is cut; what is refused is not a stream.
        if (status === 200) socket.on('close', () => cut(number));
        else socket.destroy();
        resolve({ socket, status, retryAfter });
      }
      heard(said);
      if (wanted !== null && said.includes(wanted) && !had.has(number)) {
        had.add(number);
        if (had.size === count) say('all have it');
      }
    });
    socket.on('error', () => reject(new Later(null)));
    socket.on('close', () => {
      heard(null);
      reject(new Later(null));
    });
  });
}

async function stream(number: number, head: string, body = '', heard: Heard = () => {}): Promise<boolean> {
  const opened = await openStream(number, head, body, heard);
  if (opened.status !== 200 && opened.status !== 404) throw refusal(opened.status, opened.retryAfter, '');
  return opened.status === 200;
}

/** HTTP with SSE: the stream says where to post; the answer to the subscription comes on it. */
async function openSse(number: number): Promise<void> {
  let said = '';
  let isOver = false;
  const { promise: subscribed, resolve: isSubscribed } = Promise.withResolvers<boolean>();
  const { promise: endpoint, resolve: hasEndpoint } = Promise.withResolvers<string | null>();
  const heard = (chunk: string | null): void => {
    if (isOver) return;
    said += chunk ?? '';
    isOver = chunk === null || said.includes('"id":2');
    const path = /data: (\/message\S+)\n/.exec(said)?.[1];
    if (chunk === null || path !== undefined) hasEndpoint(path ?? null);
    if (isOver) isSubscribed(chunk !== null);
  };
  await stream(number, 'GET /sse HTTP/1.1', '', heard);
  const path = await endpoint;
  if (path === null) throw new Later(null);
  for (const message of [initialize, initialized, subscribe]) {
    await post(number, path, message, {}).catch((error: unknown) => {
      // A session ends with its stream.
      throw isOver ? new Later(null) : error;
    });
  }
  if (!(await subscribed)) throw new Later(null);
}

const sessions = new Map<number, string>();

/** Streamable HTTP: a session that the server may ask. One that has ended is begun again. */
async function openSession(number: number): Promise<void> {
  const known = sessions.get(number);
  const open = (id: string) => stream(number, `GET /message HTTP/1.1\r\nMcp-Session-Id: ${id}`);
  if (known !== undefined && (await open(known))) return;
  const { session } = await post(number, '/message', initialize, {});
  if (session === null) throw new Error('no session');
  const headers = { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' };
  for (const message of [initialized, subscribe]) await post(number, '/message', message, headers);
  sessions.set(number, session);
  if (!(await open(session))) throw new Error('The session is not there');
}

async function openListening(number: number): Promise<void> {
  const names = 'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen';
  await stream(number, `POST /message HTTP/1.1\r\n${names}`, listen);
}

async function openBare(number: number): Promise<void> {
  await stream(number, 'GET /sse HTTP/1.1');
}

const ways = isBare ? [openBare] : [openSse, openSession, openListening];

async function open(number: number): Promise<void> {
  const way = ways[number % ways.length] ?? openBare;
  for (let waitMs: number = comesBack.firstMs; ; waitMs = Math.min(waitMs * comesBack.times, comesBack.mostMs)) {
    try {
      await way(number);
      break;
    } catch (error) {
      if (isClosing) return;
      if (!(error instanceof Later)) {
        say(`failed ${String(error)}`);
        break;
      }
      await delay(error.afterMs ?? waitMs);
    }
  }
  opening.delete(number);
  if (opening.size === 0) say('open');
}

function cut(number: number): void {
  if (isClosing || opening.has(number)) return;
  opening.add(number);
  setTimeout(() => void open(number), comesBack.firstMs);
}

parentPort?.on('message', (message: unknown) => {
  isClosing = message === 'close';
  wanted = String(message);
  had = new Set();
});
const numbers = opening.values().toArray();
const openNext = async (): Promise<void> => {
  for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await open(number);
};
for (let first = 0; first < atOnce; first += 1) void openNext();
