import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** A server from outside: its address, the token of a user, and the certificate that is trusted besides the system's. */
export type Target = Readonly<{ url: string; token: string; ca?: string }>;

/** What came of a call: its status, 0 when there was no answer, and its text. */
export type Answer = Readonly<{ status: number; text: string }>;

const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

/** Sends a request; every name is this machine's. */
export function send(
  { url, token, ca }: Target,
  { path, method = 'GET', body = '' }: Readonly<{ path: string; method?: string; body?: string }>,
): Promise<Answer> {
  const { protocol, hostname, port } = new URL(url);
  const isHttps = protocol === 'https:';
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: error.message });
    const options = { hostname, port: port || (isHttps ? 443 : 80), path, method, headers, timeout: 20_000 };
    const lookup: NonNullable<http.RequestOptions['lookup']> = (_, { all }, done) =>
      all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    const more = isHttps
      ? { ...(ca === undefined ? {} : { ca }), agent: agents['https:'] }
      : { agent: agents['http:'] };
    const request = (isHttps ? https : http).request({ ...options, ...more, lookup }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', failed);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 20 s')));
    request.on('error', failed);
    request.end(body);
  });
}

let lastId = 0;

/** Calls a tool, and returns what was answered. */
export function answerOf(target: Target, name: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
  lastId += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params: { name, arguments: args } });
  return send(target, { path: '/message', method: 'POST', body });
}

/** Calls a tool; null when it succeeds, else what was answered. */
export async function callTool(
  target: Target,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const { status, text } = await answerOf(target, name, args);
  const isFine = status === 200 && text.includes('"result"') && !text.includes('"isError":true');
  return isFine ? null : `${status} ${text.slice(0, 160).replaceAll(/\s+/g, ' ')}`;
}

/** Waits until this is so, and fails with the last reason after that time. */
export async function until(what: string, isSo: () => Promise<string | null>, maxMs = 60_000): Promise<void> {
  const end = Date.now() + maxMs;
  for (;;) {
    const why = await isSo();
    if (why === null) return;
    if (Date.now() > end) throw new Error(`${what}: not within ${maxMs / 1_000} s (${why})`);
    await delay(250);
  }
}

/** Waits until the server should get requests. */
export function untilReady(target: Target, maxMs?: number): Promise<void> {
  const ask = async (): Promise<string | null> => {
    const { status, text } = await send(target, { path: '/readyz' });
    return status === 200 ? null : `${status} ${text.slice(0, 120)}`;
  };
  return until('ready', ask, maxMs);
}
