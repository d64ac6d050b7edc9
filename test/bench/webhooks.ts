import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { getRawBody } from 'raw-body';
import type { Figures, Row } from '#test/bench/bench.ts';
import { medianOf, type Round } from '#test/bench/compare.ts';
import { processorTime } from '#test/bench/processor-time.ts';

/*
 * Receipts per second of signed webhook deliveries, each of which is on disk when it is answered, beside a bare node:http
 * server that reads the body and does the same insert through the same SQLite driver, with the same pragmas. Both run in
 * processes of their own; rounds alternate. The target works on what it received meanwhile, the bare server never does.
 * Alone: `node bootstrap/node24.mjs test/bench/webhooks.ts`. BENCH_SECONDS (3), BENCH_ROUNDS (5), BENCH_CONNECTIONS (32).
 */

/** What `npm run bench` calls this part. */
export const name = 'webhooks';

const secret = 'the signing secret of the bench';
const setting = (variable: string, fallback: number) => Number(process.env[variable] ?? fallback);

/** Measures; takes about half a minute. */
export async function run(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const children: ChildProcess[] = [];
  try {
    const target = await startTarget(folder, children);
    const bare = await startBare(folder, children);
    await shoot(target, 1);
    await shoot(bare, 1);
    const rounds: Round[] = [];
    for (let round = 0; round < setting('BENCH_ROUNDS', 5); round += 1) {
      const ofBare = await shoot(bare, setting('BENCH_SECONDS', 3));
      rounds.push({ bare: ofBare, target: await shoot(target, setting('BENCH_SECONDS', 3)) });
    }
    return [medianOf('webhooks: signed receipt, durable', rounds)];
  } finally {
    for (const child of children) await end(child);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deliveries of many records, signed now: each is fresh for 60 s. Every request has a delivery id of its own. */
async function shoot({ url, pid }: Server, seconds: number): Promise<Figures> {
  const deliveries = Array.from({ length: 500 }, (_, index) => {
    const data = { id: `cycle-${index}`, name: 'Sprint', padding: 'x'.repeat(1200) };
    const body = JSON.stringify({ action: 'create', type: 'Cycle', data, webhookTimestamp: Date.now() });
    return { body, signature: createHmac('sha256', secret).update(body).digest('hex') };
  });
  let sent = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    sent += 1;
    const { body, signature } = deliveries[sent % deliveries.length] ?? { body: '', signature: '' };
    const headers = { 'tracker-signature': signature, 'tracker-delivery': randomUUID() };
    return { ...request, body, headers: { ...request.headers, ...headers, 'content-type': 'application/json' } };
  };
  const spent = processorTime(pid);
  const result = await autocannon({
    url: `${url}/webhooks/tracker`,
    connections: setting('BENCH_CONNECTIONS', 32),
    duration: seconds,
    requests: [{ method: 'POST', setupRequest }],
  });
  const cpuMs = spent();
  return {
    cpuMs: cpuMs === null ? null : cpuMs / result.requests.total,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

async function startTarget(folder: string, children: ChildProcess[]): Promise<Server> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    TRACKER_WEBHOOK_SECRET: secret,
  };
  return started(
    spawn(process.execPath, ['bootstrap/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    children,
  );
}

function startBare(folder: string, children: ChildProcess[]): Promise<Server> {
  const words = [import.meta.filename, 'bare', join(folder, 'bare.sqlite')];
  return started(spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] }), children);
}

type Server = Readonly<{ url: string; pid: number | undefined }>;

/** The process, with the first address that it prints. */
async function started(child: ChildProcess, children: ChildProcess[]): Promise<Server> {
  children.push(child);
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const [found] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
    if (found !== undefined) return { url: found.replace('localhost', '127.0.0.1'), pid: child.pid };
  }
  throw new Error(`A server of the bench did not start: ${printed}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

type Sqlite = Readonly<{
  pragma(text: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): Readonly<{ run(...values: readonly unknown[]): unknown }>;
}>;

/** The bare server: the body, one durable insert, 200. */
function serveBare(file: string): void {
  const Sqlite3: new (path: string) => Sqlite = createRequire(import.meta.url)('better-sqlite3');
  const database = new Sqlite3(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.exec(
    `create table inbox (seq integer primary key autoincrement, service text not null, delivery_id text not null,
     body text not null, received_at bigint not null, unique (service, delivery_id))`,
  );
  const insert = database.prepare(
    'insert into inbox (service, delivery_id, body, received_at) values (?, ?, ?, ?) on conflict do nothing',
  );
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await getRawBody(request, { limit: 1_048_576, encoding: 'utf8' });
    insert.run('tracker', request.headers['tracker-delivery'], body, Date.now());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`http://localhost:${typeof address === 'object' ? address?.port : ''}\n`);
  });
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === 'bare') serveBare(process.argv[3] ?? '');
  else process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`);
}
