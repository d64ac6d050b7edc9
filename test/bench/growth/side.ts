import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { grownEmail, grownPassword, grownSqlite, grownVault, growPostgres } from '#test/bench/growth/grown.ts';
import type { GrownSize } from '#test/bench/growth/size.ts';
import type { Beat } from '#test/faults/pulse.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { countStatements } from '#test/support/network/statement-counter.ts';
import { startServer } from '#test/support/server/server-process.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const beatSchema = z.object({ at: z.number(), status: z.number(), tookMs: z.number() });

const spentSchema = z.object({ statements: z.number(), cpuMs: z.number() });

/** How many statements a server has sent to its database, and its processor time so far, in ms. */
export type Spent = Readonly<z.infer<typeof spentSchema>>;

const ranSchema = z.object({ ms: z.number(), rows: z.number() });

/** How long work of a server took, in ms, and how many rows it had to do. */
export type Ran = z.infer<typeof ranSchema>;

/** A running server on a database of some size. */
export type Side = Readonly<{
  url: string;
  dataDir: string;
  /** Its folder of notes, and how many there were when it was started. */
  vault: string;
  notes: number;
  databaseUrl: string;
  pid: number;
  /** The headers of its administrator's browser. */
  headers: Readonly<Record<string, string>>;
  /** What it has used since its start. */
  spent(): Promise<Spent>;
  /** What `/healthz` answered since the last time this was asked, from a process of its own. */
  beats(): readonly Beat[];
  /** Runs the job of that number in the server. */
  run(job: number): Promise<Ran>;
  /** The longest turn of the server's event loop since this was asked last, ms of processor time. */
  turn(): Promise<number>;
  log(): string;
  [Symbol.asyncDispose](): Promise<void>;
}>;

/** Settings with which nothing that was filled in is old, and nothing is limited. */
const settings = {
  RATE_LIMITS: 'off',
  TRACKER_WEBHOOK_SECRET: trackerSecret,
  WEBHOOK_REGISTRATION: 'off',
  ACTIVITY_DAYS: '360',
  AUDIT_DAYS: '360',
};

/** Starts a server on a filled database: SQLite, or the empty PostgreSQL at `postgres`. */
export async function startSide(size: GrownSize, postgres?: string): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-growing-'));
  const vault = join(dataDir, 'vault');
  await grownVault(vault, size.notes, size.reactions);
  const file = join(dataDir, 'portolan.sqlite');
  if (postgres === undefined) await grownSqlite(file, size);
  else await growPostgres(postgres, size);
  const socket = join(dataDir, 'statements');
  const counter = postgres === undefined ? null : await countStatements(Number(new URL(postgres).port));
  const databaseUrl = postgres === undefined ? `sqlite:${file}` : throughCounter(postgres, counter?.port ?? 0);
  const jobSocket = join(dataDir, 'jobs');
  const preloaded = ['count-statements.ts', 'run-jobs.ts'].flatMap((name) => [
    '--import',
    fileURLToPath(new URL(name, import.meta.url)),
  ]);
  const server = await startServer(
    {
      ...settings,
      DATA_DIR: dataDir,
      VAULT_DIR: vault,
      DATABASE_URL: databaseUrl,
      STATEMENTS_SOCKET: socket,
      JOBS_SOCKET: jobSocket,
    },
    [...preloaded, 'bootstrap/main.ts'],
  );
  while (!server.log().includes('The vault has been read')) await delay(100);
  const child = fork(fileURLToPath(new URL('pulse-child.ts', import.meta.url)), [`${server.baseUrl}/healthz`]);
  let heard: Beat[] = [];
  child.on('message', (message) => heard.push(beatSchema.parse(message)));
  return {
    url: server.baseUrl,
    dataDir,
    vault,
    notes: size.notes,
    databaseUrl,
    pid: server.pid,
    headers: await signedIn(server.baseUrl),
    spent: async () => {
      const spent = spentSchema.parse(JSON.parse(await overSocket(socket)));
      return { ...spent, statements: counter?.count() ?? spent.statements };
    },
    beats: () => {
      const beats = heard;
      heard = [];
      return beats;
    },
    run: async (job) => ranSchema.parse(JSON.parse(await overSocket(jobSocket, `/${job}`))),
    turn: async () => Number(await overSocket(jobSocket, '/turn')),
    log: server.log,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await server.end('SIGTERM');
      await counter?.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function throughCounter(postgres: string, port: number): string {
  const url = new URL(postgres);
  url.port = String(port);
  return url.href;
}

async function signedIn(origin: string): Promise<Readonly<Record<string, string>>> {
  const browser = new PlainBrowser({ origin });
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, email: grownEmail, password: grownPassword });
  return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

async function overSocket(socketPath: string, path = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, agent: false }, (response) => void text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });
}
