import { describe, expect, it } from 'vitest';
import type { Repeat } from '#application/ports/clock.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { every } from '#infrastructure/time/every.ts';
import { rememberingLogger, startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const never = 2_000_000_000;

describe('the inbox worker', () => {
  it('drains what exists when it starts and what arrives when it is woken, and finishes before it stops', async () => {
    const harness = webhookHarness();
    const { logger } = rememberingLogger();
    const worker = new InboxWorker({ drain: harness.drain, repeat: every, logger, pollMs: never, renewMs: never });
    worker.wake();
    await harness.receive.run(trackerDelivery(issuePayload(startAt), { 'tracker-delivery': '1' }));
    expect(await harness.inbox.counts()).toMatchObject({ pending: 1 });
    worker.start();
    await worker.stop(new AbortController().signal);
    expect(await harness.inbox.counts()).toMatchObject({ pending: 0, done: 1 });
  });

  it('claims nothing while storage is unavailable (RUN-030)', async () => {
    const harness = webhookHarness();
    const { logger } = rememberingLogger();
    let trouble: string | null = 'The folder is not there.';
    const worker = new InboxWorker({
      drain: harness.drain,
      repeat: every,
      logger,
      pollMs: never,
      renewMs: never,
      trouble: () => trouble,
    });
    await harness.receive.run(trackerDelivery(issuePayload(startAt), { 'tracker-delivery': '1' }));
    worker.start();
    worker.wake();
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(await harness.inbox.counts()).toMatchObject({ pending: 1 });
    trouble = null;
    worker.wake();
    await expect.poll(() => harness.inbox.counts(), { timeout: 30_000 }).toMatchObject({ pending: 0, done: 1 });
    await worker.stop(new AbortController().signal);
  });
});

describe('what wakes the inbox worker', () => {
  function worker(now: 'new' | 'room' | null) {
    const counts = { wakes: 0 };
    let onRoom: () => void = () => undefined;
    const drain = {
      isWorthClaiming: (cause: 'new' | 'room') => cause === now,
      fill: async (onFree: () => void = () => undefined) => {
        onRoom = onFree;
        return 0;
      },
      keepLeases: async () => undefined,
      stop: async () => undefined,
    };
    const repeat: Repeat = (_, task, onError) => {
      task().catch(onError);
      const wake = () => {
        counts.wakes += 1;
      };
      return { wake, stop: async () => undefined };
    };
    const { logger } = rememberingLogger();
    const woken = new InboxWorker({ drain, repeat, logger, pollMs: never, renewMs: never });
    woken.start();
    return { woken, counts, room: () => onRoom() };
  }

  it('a new delivery does at once while none is processed', () => {
    const { woken, counts } = worker('new');
    woken.wake();
    expect(counts.wakes).toBe(1);
  });

  it('new ones do together while others are processed, so that one claim takes them (INBOX-025)', async () => {
    const { woken, counts } = worker(null);
    for (let kept = 0; kept < 5; kept += 1) woken.wake();
    expect(counts.wakes).toBe(0);
    await expect.poll(() => counts.wakes).toBe(1);
  });

  it('a free slot does at once when a claim is worth it, else with others', async () => {
    const full = worker('room');
    full.room();
    expect(full.counts.wakes).toBe(1);
    const rarely = worker(null);
    rarely.room();
    rarely.room();
    expect(rarely.counts.wakes).toBe(0);
    await expect.poll(() => rarely.counts.wakes).toBe(1);
  });
});

describe('a repeated job', () => {
  it('runs again when it is woken, never twice at a time, and continues after a failure', async () => {
    const errors: unknown[] = [];
    const started: (() => void)[] = [];
    let atOnce = 0;
    const runs = { most: 0 };
    const task = async () => {
      atOnce += 1;
      runs.most = Math.max(runs.most, atOnce);
      await new Promise<void>((resolve) => started.push(resolve));
      atOnce -= 1;
      throw new Error('broken');
    };
    const repetition = every(never, task, (error) => errors.push(error));
    repetition.wake();
    repetition.wake();
    started[0]?.();
    while (started.length < 2) await new Promise<void>((resolve) => setImmediate(resolve));
    const stopped = repetition.stop();
    repetition.wake();
    started[1]?.();
    await stopped;
    expect({ runs: started.length, most: runs.most, errors: errors.length }).toEqual({ runs: 2, most: 1, errors: 2 });
  });
});
