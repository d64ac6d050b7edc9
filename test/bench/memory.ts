import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from '#test/bench/bench.ts';
import { deliverOnce, fillVault, openInbox } from '#test/bench/deliveries.ts';
import { residentMb } from '#test/bench/processor-time.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** How long a process rests before its memory is read, in ms. */
const restMs = 3_000;

/** The resident memory of the whole server at rest and after work, beside that of a process which only imports the same packages. */
export async function measureMemory(deliveries: number, notes: number): Promise<readonly Figure[]> {
  const baseline = await memoryOfPackages();
  const figure = (what: string, value: number | null): Figure => ({ figure: what, unit: 'MB', value, baseline });
  const figures: Figure[] = [];
  // The first start compiles what later ones find compiled.
  await withServer(0, async () => {});
  await withServer(0, async (server, dataDir) => {
    figures.push(figure('resident memory, idle', await restedMb(server.pid)));
    const inbox = openInbox(join(dataDir, 'portolan.sqlite'));
    let already = 0;
    for (const count of [deliveries / 2, deliveries, deliveries * 4]) {
      await deliverOnce(server, inbox, { connections: 32, deliveries: count - already, rounds: 1 });
      already = count;
      figures.push(figure(`resident memory after ${count} deliveries`, await restedMb(server.pid)));
    }
  });
  await withServer(notes, async (server) => {
    while (!server.log().includes('The vault has been read')) await delay(100);
    figures.push(figure(`resident memory with ${notes} notes`, await restedMb(server.pid)));
  });
  return figures;
}

async function withServer(notes: number, use: (server: ServerProcess, dataDir: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  try {
    await fillVault(join(folder, 'vault'), notes);
    const settings = { DATA_DIR: folder, RATE_LIMITS: 'off', TRACKER_WEBHOOK_SECRET: trackerSecret };
    const server = await startServer(settings, ['bootstrap/node24.mjs', 'bootstrap/main.ts']);
    await use(server, folder);
    await server.end('SIGTERM');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restedMb(pid: number | undefined): Promise<number | null> {
  await delay(restMs);
  return residentMb(pid);
}

/** The resident memory of a process that imports the packages the server depends on, and does nothing. */
async function memoryOfPackages(): Promise<number | null> {
  const child: ChildProcess = fork(fileURLToPath(new URL('import-packages.ts', import.meta.url)), {
    execArgv: ['--max-semi-space-size=2'],
  });
  await once(child, 'message');
  const resident = await restedMb(child.pid);
  child.kill('SIGKILL');
  return resident;
}
