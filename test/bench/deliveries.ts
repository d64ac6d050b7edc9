import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Figures, Row } from '#test/bench/bench.ts';
import type { HandOrder } from '#test/bench/by-hand.ts';
import { medianOf, type Round } from '#test/bench/compare.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { newIssueRequest, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** How many deliveries a round has, and how many rounds there are. */
export type DeliveryShape = Readonly<{ connections: number; deliveries: number; rounds: number }>;

/**
 * Signed deliveries of new issues to two whole servers, each of which becomes a note in the embedded vault: one begins empty, the
 * other has `notes` notes. They are measured in turns with the same number done by hand, and the second also beside the first.
 * Measured from the first request until the last is done.
 */
export async function deliverToNotes(notes: number, shape: DeliveryShape): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const hand = fork(fileURLToPath(new URL('by-hand.ts', import.meta.url)), [folder]);
  const servers: Delivering[] = [];
  try {
    const empty = await startDelivering(join(folder, 'empty'), 0);
    servers.push(empty);
    const full = await startDelivering(join(folder, 'full'), notes);
    servers.push(full);
    const rounds: Readonly<{ hand: Figures; empty: Figures; full: Figures }>[] = [];
    for (let round = -1; round < shape.rounds; round += 1) {
      // The first round compiles what later ones find compiled, and does not count.
      const measured = {
        hand: await byHand(hand, shape),
        empty: await deliverOnce(empty.server, empty.inbox, shape),
        full: await deliverOnce(full.server, full.inbox, shape),
      };
      if (round >= 0) rounds.push(measured);
    }
    const row = (name: string, pick: (round: (typeof rounds)[number]) => Round) => medianOf(name, rounds.map(pick));
    return [
      row('deliveries to notes, empty vault', (round) => ({ target: round.empty, bare: round.hand })),
      row(`deliveries to notes, ${notes} notes`, (round) => ({ target: round.full, bare: round.hand })),
      row(`deliveries to notes, ${notes} notes, beside an empty vault`, (round) => ({
        target: round.full,
        bare: round.empty,
      })),
    ];
  } finally {
    hand.kill('SIGKILL');
    for (const { server } of servers) await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

type Delivering = Readonly<{ server: ServerProcess; inbox: Inbox }>;

/** A whole server over a vault of so many notes, which it has read. */
async function startDelivering(dataDir: string, notes: number): Promise<Delivering> {
  await fillVault(join(dataDir, 'vault'), notes);
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', TRACKER_WEBHOOK_SECRET: trackerSecret };
  const server = await startServer(settings);
  while (!server.log().includes('The vault has been read')) await delay(100);
  return { server, inbox: openInbox(join(dataDir, 'portolan.sqlite')) };
}

/** Notes of other issues, in folders of a thousand, in the way of people: some keys above, a few lines below. */
export async function fillVault(vault: string, notes: number): Promise<void> {
  for (let from = 0; from < notes; from += 1000) {
    const folder = join(vault, 'Issues', `Before ${from}`);
    await mkdir(folder, { recursive: true });
    const numbers = Array.from({ length: Math.min(1000, notes - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((n) => writeFile(join(folder, `OLD-${n} Issue.md`), oldNote(n))));
  }
}

const oldNote = (n: number): string =>
  `---\ntracker_id: old-${n}\nidentifier: OLD-${n}\nstatus: ${n % 2 === 0 ? 'Done' : 'In Progress'}\ntags:\n  - issue\npriority: ${n % 5}\n---\n` +
  `# OLD-${n} Issue\n\nWhat it is about, in [[OLD-${Math.max(0, n - 1)} Issue]].\n\n## History\n\n${'- 2026-01-23 A line of its history.\n'.repeat(8)}`;

/** Counts what the server has done. */
export type Inbox = Readonly<{ finished(): number }>;

/** How many deliveries have ended well, read beside the server so that it costs it nothing. */
export function openInbox(file: string): Inbox {
  const Sqlite3: new (
    path: string,
    options: Readonly<{ readonly: boolean }>,
  ) => Readonly<{ prepare(sql: string): Readonly<{ pluck(): Readonly<{ get(): unknown }> }> }> = createRequire(
    import.meta.url,
  )('better-sqlite3');
  const count = new Sqlite3(file, { readonly: true })
    .prepare("select count(*) from webhook_inbox where state = 'done'")
    .pluck();
  return { finished: () => Number(count.get()) };
}

/** How long a round may take before something is taken to be wrong, in ms. */
const maxRoundMs = 300_000;

/** Sends deliveries and waits until all are done. */
export async function deliverOnce(
  { baseUrl, pid, log }: ServerProcess,
  inbox: Inbox,
  { connections, deliveries }: DeliveryShape,
): Promise<Figures> {
  const already = inbox.finished();
  const spent = processorTime(pid);
  const began = performance.now();
  let left = deliveries;
  const line = async () => {
    for (; left > 0; ) {
      left -= 1;
      await send(baseUrl);
    }
  };
  await Promise.all(Array.from({ length: connections }, line));
  while (inbox.finished() < already + deliveries) {
    if (performance.now() - began > maxRoundMs) throw new Error(`Deliveries do not end: ${log().slice(-2000)}`);
    await delay(2);
  }
  return figuresOf(deliveries, performance.now() - began, spent());
}

async function send(baseUrl: string): Promise<void> {
  const { headers, body } = newIssueRequest('ENG', 'Fix login');
  const response = await fetch(`${baseUrl}/webhooks/tracker`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`A delivery is answered ${response.status}`);
  await response.arrayBuffer();
}

const handDoneSchema = z.object({ tookMs: z.number(), cpuMs: z.number() });

async function byHand(child: ChildProcess, { connections, deliveries }: DeliveryShape): Promise<Figures> {
  const order: HandOrder = { count: deliveries, atOnce: connections };
  const done = once(child, 'message');
  child.send(order);
  const { tookMs, cpuMs } = handDoneSchema.parse((await done)[0]);
  return figuresOf(deliveries, tookMs, cpuMs);
}

const figuresOf = (count: number, tookMs: number, cpuMs: number | null): Figures => ({
  perSecond: (count * 1000) / tookMs,
  p50: null,
  p99: null,
  cpuMs: cpuMs === null ? null : cpuMs / count,
  failed: 0,
});
