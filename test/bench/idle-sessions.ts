import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import { LegacyListener } from '#adapters/mcp/changes/listener.ts';
import { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { HttpSessions } from '#adapters/mcp/transports/http-sessions.ts';
import { guest } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { startEdge } from '#test/bench/target.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

/* `node --expose-gc test/bench/idle-sessions.ts`: the heap that an idle session takes, without a stream and with one. */
const heap = async (): Promise<number> => {
  // What a closed turn of the loop leaves behind is not the session's.
  for (let round = 0; round < 5; round += 1) {
    await delay(100);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
};
const tell = (what: string, bytes: number): void => {
  process.stdout.write(`${what}: ${Math.round(bytes)} bytes of heap each\n`);
};
/** What was measured stays, so that its end does not count for what follows. */
const held: unknown[] = [];
const logger = openLogger('silent');
const clock = systemClock;

/** Sessions of clients that can be asked, each of another user. */
async function restingSessions(count: number): Promise<void> {
  const listeners = new Listeners({
    users: { find: async (id) => ({ ...guest, id }) },
    connections: { overview: async () => ({ services: new Set(), isInTeamVault: false }) },
    noteChanges: new EventBus<NoteChange>(),
    accountChanges: new EventBus<AccountChange>(),
    clock,
    logger,
    offered: ['tools', 'prompts', 'resources'],
    services: [],
    timing: { gatherMs: 50, lookMs: 3_600_000, usersALook: 1 },
  });
  const bounds = { perUser: 32, all: count, idleMs: 1_800_000 };
  const sessions = new HttpSessions({ random: systemRandom, bounds, listeners, clock });
  const before = await heap();
  for (let n = 1; n <= count; n += 1) {
    const { channel } = sessions.open(n);
    channel.capabilities = JSON.parse('{"elicitation":{"form":{}},"sampling":{},"roots":{"listChanged":true}}');
  }
  tell(`${sessions.count} idle sessions without a stream`, ((await heap()) - before) / count);
  const line = { send: () => true, end: () => {} };
  const channels = Array.from({ length: count }, () => new ClientChannel());
  const listening = await heap();
  for (const [n, channel] of channels.entries()) {
    listeners.add(new LegacyListener({ user: { ...guest, id: n + 1 }, choice: everyTool, since: null }, channel, line));
  }
  tell(`${channels.length} who listen, beside their sessions and lines`, ((await heap()) - listening) / count);
  held.push(sessions, listeners, channels);
}

/** Streams over real connections, after a few that warm the code up; the clients are in a heap of their own. */
async function openStreams(what: string, count: number, request: string): Promise<void> {
  const bounds = { perUser: 2 * count, all: 2 * count };
  const catalog = { names: neutralNames, operations: [] };
  const edge = await startEdge({ logger, catalog, bounds: { ...bounds, requests: 1 }, subscriptions: bounds });
  const { host } = new URL(edge.url);
  const headers = Object.entries(edge.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = request.replace('\r\n', `\r\nHost: ${host}\r\n${headers.join('')}`);
  const warm = await openFromOutside(edge.url, 200, text);
  const before = await heap();
  const clients = await openFromOutside(edge.url, count, text);
  tell(`${count} open, idle streams of ${what}`, ((await heap()) - before) / count);
  held.push(edge, warm, clients);
}

async function openFromOutside(url: string, count: number, text: string): Promise<Worker> {
  const { hostname, port } = new URL(url);
  const worker = new Worker(
    `const { workerData: { hostname, port, count, text }, parentPort } = require('node:worker_threads');
     const { connect } = require('node:net');
     let open = 0;
     for (let n = 0; n < count; n += 1) {
       const socket = connect(port, hostname, () => socket.write(text));
       socket.once('data', (chunk) => {
         if (!String(chunk).includes(' 200 ')) throw new Error(String(chunk));
         open += 1;
         if (open === count) parentPort.postMessage('open');
       });
     }`,
    { eval: true, workerData: { hostname, port: Number(port), count, text } },
  );
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return worker;
}

const listening = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
    notifications: { toolsListChanged: true },
  },
});
const post = [
  'POST /message HTTP/1.1',
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  'MCP-Protocol-Version: 2026-07-28',
  'Mcp-Method: subscriptions/listen',
  `Content-Length: ${listening.length}`,
];

await restingSessions(10_000);
await openStreams('HTTP with SSE', 3_000, 'GET /sse HTTP/1.1\r\n\r\n');
await openStreams('subscriptions/listen', 3_000, `${post.join('\r\n')}\r\n\r\n${listening}`);
process.exit(0);
