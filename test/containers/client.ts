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

/** Calls a tool; null when it succeeds, else what was answered. */
export async function callTool(
  target: Target,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  lastId += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params: { name, arguments: args } });
  const { status, text } = await send(target, { path: '/message', method: 'POST', body });
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

/** What came of a load: how many calls, those that failed with their time in s, and the notes whose writing was acknowledged. */
export type Loaded = Readonly<{ calls: number; failed: readonly string[]; written: readonly string[] }>;

/** A load that runs until it is stopped. */
export type Load = Readonly<{ stop(): Promise<Loaded>; until(calls: number): Promise<void> }>;

/** Calls tools so many times a second, whether or not earlier calls are answered; every tenth writes a note of its own. */
export function startLoad(target: Target, perSecond: number): Load {
  const began = Date.now();
  const failed: string[] = [];
  const written: string[] = [];
  const open = new Set<Promise<void>>();
  let calls = 0;
  const call = async (): Promise<void> => {
    calls += 1;
    const path = calls % 10 === 0 ? `Load/${began}-${calls}.md` : null;
    const at = ((Date.now() - began) / 1_000).toFixed(1);
    const error =
      path === null
        ? await callTool(target, 'vault_vault_list', {})
        : await callTool(target, 'vault_note_write', { path, content: 'kept' });
    if (error !== null) failed.push(`${at} s: ${error}`);
    else if (path !== null) written.push(path);
  };
  const timer = setInterval(() => {
    const one = call().finally(() => open.delete(one));
    open.add(one);
  }, 1_000 / perSecond);
  return {
    until: (count) => until(`${count} calls`, async () => (calls >= count ? null : String(calls)), 600_000),
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return { calls, failed, written };
    },
  };
}

/** Returns those of the notes that cannot be read. */
export async function lostNotes(target: Target, paths: readonly string[]): Promise<readonly string[]> {
  const read = await Promise.all(
    paths.map(async (path) => ({ path, error: await callTool(target, 'vault_note_read', { path }) })),
  );
  return read.flatMap(({ path, error }) => (error === null ? [] : [`${path}: ${error}`]));
}
