import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** How a provider treats requests; every mood but `well` and `slow` is a way to be of no use. */
export type Mood =
  | 'well'
  | 'slow'
  | 'hangs'
  | 'drips'
  | 'resets'
  | 'refuses connections'
  | 'limits'
  | 'answers garbage'
  | 'answers half'
  | 'answers a web page'
  | 'fails';

/** All moods that are ways to be of no use. */
export const badMoods: readonly Mood[] = [
  'hangs',
  'drips',
  'resets',
  'refuses connections',
  'limits',
  'answers garbage',
  'answers half',
  'answers a web page',
  'fails',
];

/** A provider behind a front that can be put into a mood. */
export type MoodyFront = Readonly<{
  /** Where the provider seems to be; its own address is replaced by this one in all that it says. */
  url: string;
  /** How many requests have come, whatever became of them. */
  requests(): number;
  /** Puts it into a mood. Requests that were kept waiting by the mood before are cut. */
  be(mood: Mood): Promise<void>;
  close(): Promise<void>;
}>;

/** What `limits` asks callers to wait, in seconds. */
export const retryAfterS = 2;
/** How long `slow` takes for an answer, in ms. */
export const slowMs = 2_000;
const dripMs = 100;

/** Puts a front before a provider at `upstream`, on a loopback port of its own. It begins `well`. */
export async function startMoodyFront(upstream: string): Promise<MoodyFront> {
  let mood: Mood = 'well';
  let url = '';
  let requests = 0;
  const waiting = new Set<ServerResponse>();

  const wait = (response: ServerResponse) => {
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
  };

  const misbehave = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    switch (mood) {
      case 'well':
        return send(response, await forwarded(incoming, upstream, url));
      case 'slow':
        await delay(slowMs);
        return send(response, await forwarded(incoming, upstream, url));
      case 'hangs':
        return wait(response);
      case 'drips':
        wait(response);
        return drip(response);
      case 'resets':
      case 'refuses connections':
        return void incoming.socket.resetAndDestroy();
      case 'limits':
        return void response.writeHead(429, { 'retry-after': String(retryAfterS) }).end();
      case 'answers garbage':
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(']]\u0001 not JSON {{');
      case 'answers a web page':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please sign in</html>');
      case 'answers half':
        return half(response, await forwarded(incoming, upstream, url));
      case 'fails':
        return void response.writeHead(500, { 'content-type': 'text/plain' }).end('Something went wrong.');
    }
  };

  const server = createServer((incoming, response) => {
    requests += 1;
    misbehave(incoming, response).catch(() => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };

  const port = await listen(0);
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests: () => requests,
    be: async (next) => {
      const wasRefusing = mood === 'refuses connections';
      mood = next;
      for (const response of waiting) response.destroy();
      if (next === 'refuses connections' && !wasRefusing) await close();
      if (wasRefusing && next !== 'refuses connections') await listen(port);
    },
    close: async () => {
      if (mood !== 'refuses connections') await close();
    },
  };
}

type Forwarded = Readonly<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>;

/** What the provider answers, with the front's address in place of its own. */
async function forwarded(incoming: IncomingMessage, upstream: string, front: string): Promise<Forwarded> {
  const sent = await buffer(incoming);
  const { host: _, 'transfer-encoding': __, ...headers } = incoming.headers;
  const target = new URL(incoming.url ?? '/', upstream);
  const options = { method: incoming.method ?? 'GET', headers: { ...headers, 'content-length': sent.length } };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(target, options, resolve).on('error', reject).end(sent);
  });
  const body = await buffer(answer);
  const isText = /json|text|urlencoded/.test(answer.headers['content-type'] ?? '');
  const { 'transfer-encoding': ___, 'content-length': ____, location, ...rest } = answer.headers;
  return {
    status: answer.statusCode ?? 502,
    headers: { ...rest, ...(location === undefined ? {} : { location: location.replaceAll(upstream, front) }) },
    body: isText ? Buffer.from(body.toString().replaceAll(upstream, front)) : body,
  };
}

function send(response: ServerResponse, { status, headers, body }: Forwarded): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** The head and the first half of an answer, and then nothing more. */
function half(response: ServerResponse, { status, headers, body }: Forwarded): void {
  response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

/** The head at once, and then a space now and again, without an end. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), dripMs);
  response.once('close', () => clearInterval(timer));
}
