import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#test/kit/free-port.ts';
import { isLong, rounds } from '#test/support/form.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import {
  childEnv,
  notesOf,
  post,
  serverFolder,
  serverSettings,
  settled,
} from '#test/support/webhooks/webhook-server.ts';

const deals = Array.from({ length: rounds(12, 24) }, (_, index) => index + 1);
const statuses = ['new', 'open', 'won', 'lost'];
const killAt = isLong ? [10, 25, 45, 70] : [25];

describe('a load of deliveries while the server is repeatedly killed with -9', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    folder = await serverFolder();
  });
  afterEach(async () => {
    if (child !== undefined) await kill(child);
    await folder.remove();
  });

  it('takes effect exactly once for every acknowledged delivery (INBOX-001)', async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const program = await testedProgram('bootstrap/main.ts');
    const start = () => {
      const env = childEnv(serverSettings(folder.path, { PORT: `${port}`, BASE_URL: baseUrl }));
      child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      return child;
    };
    start();
    let acknowledged = 0;
    let killed = 0;
    const acknowledge = async (): Promise<void> => {
      acknowledged += 1;
      if (acknowledged !== killAt[killed] || child === undefined) return;
      killed += 1;
      await kill(child);
      start();
    };
    await Promise.all(
      deals.map(async (id) => {
        for (const [turn, status] of statuses.entries()) {
          const payload = dealPayload({ id, title: `Deal ${id}`, status }, {}, `2026-01-15T08:0${turn}:00Z`);
          await deliver(baseUrl, salesCrmDelivery(payload));
          await acknowledge();
        }
      }),
    );
    expect([acknowledged, killed]).toEqual([deals.length * statuses.length, killAt.length]);
    await settled(baseUrl);

    const notes = await notesOf(folder.path);
    expect(Object.keys(notes).sort()).toEqual(deals.map((id) => `Deals/Deal ${id}.md`).sort());
    for (const text of Object.values(notes)) {
      expect(text).toMatch(/^status: "?lost"?$/m);
      expect(text.match(/08:0\d UTC/g)).toEqual(['08:00 UTC', '08:01 UTC', '08:02 UTC', '08:03 UTC']);
      expect(new Set(text.match(/\^evt-\w+/g)).size).toBe(4);
      expect(text.match(/\^evt-/g)).toHaveLength(4);
    }
  });
});

/** Sends until it is acknowledged, as the services do. */
async function deliver(baseUrl: string, delivery: Parameters<typeof post>[1]): Promise<void> {
  for (;;) {
    const response = await post(baseUrl, delivery).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response?.status === 200) return;
    if (response !== null && response.status !== 503) throw new Error(`refused: ${response.status}`);
    await delay(50);
  }
}

async function kill(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}
