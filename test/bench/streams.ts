import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { startBeats } from '#test/bench/beats.ts';
import type { Figure, Target } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { peopleOf, tokensOf } from '#test/bench/people.ts';
import { processorTime, residentMb } from '#test/bench/processor-time.ts';
import { startServer } from '#test/support/server/server-process.ts';

/** So many streams of so many people; a third each of HTTP with SSE, sessions of Streamable HTTP, and `subscriptions/listen`. */
export type StreamShape = Readonly<{ streams: number; people: number }>;

type Served = Readonly<{ url: string; pid?: number }>;

const changes = 5;
const uri = 'vault://Deals/Acme.md';
/** How long a server has nothing to do before its memory is read, in ms. */
const settledMs = 3_000;

/** The whole server with open streams beside a bare server with as many: memory, a change, calls, and a restart. */
export async function measureStreams({ streams, people }: StreamShape): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const settings = { DATA_DIR: folder, RATE_LIMITS: 'off', MAX_STREAMS: String(2 * streams) };
  let server = await startServer(settings);
  const bare = await serveInChild({ kind: 'streams' });
  try {
    const tokens = await tokensOf(folder, peopleOf(folder, people));
    const calling = { url: server.baseUrl, pid: server.pid, token: tokens[0] ?? '' };
    await writeNote(calling, 0);
    // One after the other: both together would need twice the open files.
    const bareStreams = await openMeasured(bare, { tokens, streams, isBare: true });
    await bareStreams.clients.close();
    const { clients, mb } = await openMeasured(calling, { tokens, streams, isBare: false });
    await callsOf(calling);
    const beside = await callsOf(calling);
    const reached = await changesReach(calling, clients);
    await clients.close();
    // Ten thousand connections are cut at the same time.
    await delay(settledMs);
    await callsOf(calling);
    const alone = await callsOf(calling);
    const back = await openAll(server.baseUrl, { tokens, streams, isBare: false });
    await server.end('SIGKILL');
    const restarted = await comeBack({ ...settings, PORT: new URL(server.baseUrl).port }, back);
    server = restarted.server;
    await back.close();
    const row = (figure: string, unit: string, value: number | null, baseline: number | null = null): Figure => ({
      figure,
      unit,
      value,
      baseline,
    });
    const kb = (all: number) => (all * 1_024) / streams;
    return [
      row(`resident memory of each of ${streams} streams`, 'KB', kb(mb), kb(bareStreams.mb)),
      row('tool calls beside the streams', 'a second', beside.perSecond, alone.perSecond),
      row('processor time of a tool call beside the streams', 'ms', beside.cpuMs, alone.cpuMs),
      row(
        `a change of a note, until the last of its streams has it, worst of ${changes}`,
        'ms',
        reached.worstMs,
        2_000,
      ),
      row('processor time of a change', 'ms', reached.cpuMs),
      row('all streams open again, from the end of the restart on', 'ms', restarted.backMs),
      row('processor time of that', 'ms', restarted.cpuMs),
      row('the longest wait of /healthz meanwhile', 'ms', restarted.healthMs),
      row('clients that got an error they cannot retry', 'clients', restarted.failed, 0),
    ];
  } finally {
    await bare.close();
    await server.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

type Clients = Readonly<{
  /** Resolves when so many have had an event from now on. */
  event(text: string): Promise<void>;
  /** Resolves when all are open again that were cut; the number of those that could not retry. */
  back(): Promise<number>;
  close(): Promise<void>;
}>;

type Opening = Readonly<{ tokens: readonly string[]; streams: number; isBare: boolean }>;

/** Opens streams from a thread of its own, a hundred at a time. */
async function openAll(url: string, { tokens, streams: count, isBare }: Opening): Promise<Clients> {
  const { hostname, port } = new URL(url);
  // Looking the name up for each of so many connections is too much for the system.
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
  const workerData = { hostname: address, port: Number(port), count, tokens, isBare, uri };
  const worker = new Worker(new URL('stream-clients.ts', import.meta.url), { workerData });
  let failed = 0;
  worker.on('message', (said: unknown) => {
    if (!String(said).startsWith('failed')) return;
    failed += 1;
    if (failed < 5) process.stderr.write(`${String(said)}\n`);
  });
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
      const had = message('all have it');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(text);
      await had;
    },
    back: async () => {
      await message('open');
      return failed;
    },
    close: async () => {
      await worker.terminate();
      await delay(500);
    },
  };
}

/** Opens the streams of a server that has had a few before, and how much memory they keep there, in MiB. */
async function openMeasured(
  { url, pid }: Served,
  opening: Opening,
): Promise<Readonly<{ clients: Clients; mb: number }>> {
  await openAll(url, { ...opening, streams: Math.ceil(opening.streams / 10) }).then((clients) => clients.close());
  await delay(settledMs);
  const before = residentMb(pid) ?? 0;
  const clients = await openAll(url, opening);
  await delay(settledMs);
  return { clients, mb: (residentMb(pid) ?? 0) - before };
}

type Calling = Served & Readonly<{ token: string }>;

/** How many tool calls a second the server answers, and the processor time of one. */
async function callsOf({ url, pid, token }: Calling) {
  const params = { name: 'vault_vault_list', arguments: {} };
  const used = processorTime(pid);
  const result = await autocannon({
    url: `${url}/message`,
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    connections: 16,
    duration: Number(process.env['BENCH_SECONDS'] ?? 3) * 2,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} calls were refused`);
  return { perSecond: result.requests.average, cpuMs: (used() ?? 0) / result.requests.total };
}

/** Writes the note that all streams watch, several times; how long until all know, and what that takes the server. */
async function changesReach(calling: Calling, clients: Clients) {
  let worstMs = 0;
  const used = processorTime(calling.pid);
  for (let change = 1; change <= changes; change += 1) {
    const reached = clients.event('notifications/resources/updated');
    const begunAt = performance.now();
    await writeNote(calling, change);
    await reached;
    worstMs = Math.max(worstMs, performance.now() - begunAt);
  }
  return { worstMs, cpuMs: (used() ?? 0) / changes };
}

async function writeNote({ url, token }: Calling, number: number): Promise<void> {
  const params = {
    name: 'vault_note_write',
    arguments: { path: 'Deals/Acme.md', content: `# Acme ${number}`, mode: 'overwrite' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await fetch(`${url}/message`, { method: 'POST', headers: headersOf(token), body });
  const text = await answer.text();
  if (!text.includes('"result"') || text.includes('"isError":true'))
    throw new Error(`The note is not written: ${text}`);
}

/** Starts the server again for clients that were cut, and asks `/healthz` from when it has answered once. */
async function comeBack(settings: Readonly<Record<string, string>>, clients: Clients) {
  const isBack = clients.back();
  const server = await startServer(settings);
  const startedAt = performance.now();
  const beats = startBeats(server.baseUrl);
  const used = processorTime(server.pid);
  const failed = await isBack;
  const backMs = performance.now() - startedAt;
  return { server, failed, backMs, cpuMs: used(), healthMs: await beats.longestMs() };
}

const headersOf = (token: string): Target['headers'] => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
});
