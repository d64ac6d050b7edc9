import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import type { Figure, Target } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { residentMb } from '#test/bench/processor-time.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';

/** So many streams of so many people; half are of HTTP with SSE, half of `subscriptions/listen`. */
export type StreamShape = Readonly<{ streams: number; people: number }>;

const sseRequest = 'GET /sse HTTP/1.1\r\n';
const listenBody = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
    notifications: { resourceSubscriptions: ['vault://Deals/Acme.md'] },
  },
});
const listenRequest = [
  'POST /message HTTP/1.1',
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  'MCP-Protocol-Version: 2026-07-28',
  'Mcp-Method: subscriptions/listen',
  `Content-Length: ${Buffer.byteLength(listenBody)}\r\n`,
].join('\r\n');

/** The whole server with open streams beside a bare server with as many: memory, a change, calls, and a restart. */
export async function measureStreams({ streams, people }: StreamShape): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const settings = { DATA_DIR: folder, RATE_LIMITS: 'off', MAX_STREAMS: String(2 * streams) };
  let server = await startServer(settings);
  const bare = await serveInChild({ kind: 'streams' });
  try {
    const tokens = await tokensOf(folder, peopleOf(folder, people));
    const before = await callsOf(server, tokens[0] ?? '');
    await openAll(server.baseUrl, tokens, Math.ceil(streams / 50)).then((clients) => clients.close());
    await delay(2_000);
    const [restedMb, bareRestedMb] = [residentMb(server.pid) ?? 0, residentMb(bare.pid) ?? 0];
    // One after the other: both together would need twice the open files.
    const bareClients = await openAll(bare.url, tokens, streams);
    await delay(3_000);
    const bareMb = (residentMb(bare.pid) ?? 0) - bareRestedMb;
    await bareClients.close();
    const clients = await openAll(server.baseUrl, tokens, streams);
    await delay(3_000);
    const mb = (residentMb(server.pid) ?? 0) - restedMb;
    const beside = await callsOf(server, tokens[0] ?? '');
    const reached = await changeReaches(server, tokens[0] ?? '', clients);
    await server.end('SIGKILL');
    await clients.close();
    server = await startServer({ ...settings, PORT: new URL(server.baseUrl).port });
    const backAt = performance.now();
    const again = await openAll(server.baseUrl, tokens, streams);
    const backMs = performance.now() - backAt;
    await again.close();
    const kb = (all: number) => (all * 1_024) / streams;
    return [
      { figure: `resident memory of each of ${streams} streams`, unit: 'KB', value: kb(mb), baseline: kb(bareMb) },
      { figure: 'tool calls beside the streams', unit: 'a second', value: beside, baseline: before },
      {
        figure: 'a change of a note, until the last of its streams has it',
        unit: 'ms',
        value: reached,
        baseline: 2_000,
      },
      { figure: 'all streams open again after a restart', unit: 'ms', value: backMs, baseline: null },
    ];
  } finally {
    await bare.close();
    await server.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds people by the table, since a password takes a fifth of a second; their ids. */
function peopleOf(folder: string, people: number): readonly number[] {
  const database = new DatabaseSync(join(folder, 'portolan.sqlite'));
  const columns = database.prepare('select * from users where id = 1').get() ?? {};
  const names = Object.keys(columns).filter((name) => name !== 'id');
  const place = names
    .map((name) => (name.startsWith('email') ? "'person' || value || '@example.org'" : name))
    .join(', ');
  database.exec(
    `with recursive numbers (value) as (select 2 union all select value + 1 from numbers where value < ${people})
     insert into users (id, ${names.join(', ')}) select value, ${place} from numbers, users where users.id = 1`,
  );
  database.close();
  return Array.from({ length: people }, (_, index) => index + 1);
}

async function tokensOf(folder: string, ids: readonly number[]): Promise<readonly string[]> {
  const secret = readFileSync(join(folder, 'secret_key_base'), 'utf8').trim();
  const tokens = new JweSessionTokens([deriveKey(secret, 'session')]);
  return Promise.all(ids.map((userId) => tokens.seal({ userId, issuedAt: Date.now() })));
}

type Clients = Readonly<{
  /** Resolves with the time from now on until so many have had another event, in ms. */
  event(text: string): Promise<number>;
  close(): Promise<void>;
}>;

/** Opens streams from a thread of its own, a hundred at a time, those of each person one after the other. */
async function openAll(url: string, tokens: readonly string[], count: number): Promise<Clients> {
  const { hostname, port, host } = new URL(url);
  const requests = [sseRequest, listenRequest].map((head) => head.concat(`Host: ${host}\r\n`));
  // Looking the name up for each of so many connections is too much for the system.
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
  const workerData = { hostname: address, port: Number(port), count, tokens, requests, body: listenBody };
  const worker = new Worker(new URL('stream-clients.ts', import.meta.url), { workerData });
  const message = (name: string) =>
    new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.on('message', (said: unknown) => {
        if (said === name) resolve();
      });
    });
  await message('open');
  return {
    event: async (text) => {
      const begunAt = performance.now();
      const had = message('all have it');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(text);
      await had;
      return performance.now() - begunAt;
    },
    close: async () => {
      await worker.terminate();
      await delay(500);
    },
  };
}

async function callsOf({ baseUrl }: Pick<ServerProcess, 'baseUrl'>, token: string): Promise<number> {
  const params = { name: 'vault_vault_list', arguments: {} };
  const result = await autocannon({
    url: `${baseUrl}/message`,
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    connections: 16,
    duration: Number(process.env['BENCH_SECONDS'] ?? 3) * 2,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} calls were refused`);
  return result.requests.average;
}

/** Writes the note that the modern streams watch; how long until all of them know. */
async function changeReaches(
  { baseUrl }: Pick<ServerProcess, 'baseUrl'>,
  token: string,
  clients: Clients,
): Promise<number> {
  const reached = clients.event('notifications/resources/updated');
  const params = {
    name: 'vault_note_write',
    arguments: { path: 'Deals/Acme.md', content: '# Acme', mode: 'overwrite' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await fetch(`${baseUrl}/message`, { method: 'POST', headers: headersOf(token), body });
  const text = await answer.text();
  if (!text.includes('"result"') || text.includes('"isError":true'))
    throw new Error(`The note is not written: ${text}`);
  return reached;
}

const headersOf = (token: string): Target['headers'] => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
});
