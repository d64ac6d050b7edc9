import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from '#test/bench/bench.ts';
import { medianOf, type Round } from '#test/bench/compare.ts';
import { deliverOnce, type Inbox, openInbox } from '#test/bench/deliveries.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const rounds = setting('BENCH_ROUNDS', 5);
const shape = {
  connections: setting('BENCH_CONNECTIONS', 32),
  deliveries: Math.ceil(setting('BENCH_DELIVERIES', 10_000) / rounds),
  rounds,
};
/** How many reactions there are. */
const count = 200;

type Served = Readonly<{ server: ServerProcess; inbox: Inbox }>;

/**
 * Deliveries of new issues, each of which becomes a note by the built-in reaction, to a server with 200 reactions that people
 * wrote of which none fits, beside a server without any. BENCH_DELIVERIES (10,000) is how many in all rounds.
 */
export const bench: Bench = {
  name: 'reactions',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
    const open: ServerProcess[] = [];
    const served = async (name: string, lines: string | null): Promise<Served> => {
      const dataDir = join(folder, name);
      if (lines !== null) await writeReactions(join(dataDir, 'vault', 'Reactions'), lines);
      const server = await startServer({
        DATA_DIR: dataDir,
        RATE_LIMITS: 'off',
        TRACKER_WEBHOOK_SECRET: trackerSecret,
      });
      open.push(server);
      if (lines !== null) await allRead(join(dataDir, 'vault', 'Reactions'));
      const inbox = openInbox(join(dataDir, 'portolan.sqlite'));
      await deliverOnce(server, inbox, { ...shape, deliveries: 60 });
      return { server, inbox };
    };
    try {
      const bare = await served('bare', null);
      const cases = [
        ['reactions: 200 to other events', 'when: tracker.issue.remove'],
        ['reactions: 200 to these events, `if` false', 'when: tracker.issue.create\nif: issue.title == "another"'],
      ] as const;
      const rows: Row[] = [];
      for (const [name, lines] of cases) {
        const target = await served(`target ${rows.length}`, lines);
        const measured: Round[] = [];
        for (let round = 0; round < shape.rounds; round += 1) {
          const beside = await deliverOnce(bare.server, bare.inbox, shape);
          measured.push({ bare: beside, target: await deliverOnce(target.server, target.inbox, shape) });
        }
        rows.push(medianOf(name, measured));
        await target.server.end('SIGTERM');
      }
      return rows;
    } finally {
      for (const server of open) await server.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const pathOf = (folder: string, number: number) => join(folder, `r${String(number).padStart(3, '0')}.md`);

async function writeReactions(folder: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const numbers = Array.from({ length: count }, (_, number) => number);
  const text = (number: number) => `---\nreaction: on\n${lines}\nnote: Log ${number}.md\n---\n- {{ issue.title }}\n`;
  await Promise.all(numbers.map((number) => writeFile(pathOf(folder, number), text(number))));
}

/** Resolves when the last of them, by its path, says that it is understood. */
async function allRead(folder: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const text = await readFile(pathOf(folder, count - 1), 'utf8');
    if (text.includes('reaction_status: ok')) return;
    if (text.includes('reaction_status')) throw new Error(`A reaction of the bench has a fault: ${text}`);
    await delay(100);
  }
  throw new Error('The reactions of the bench were not read.');
}
