import { expect, it } from 'vitest';
import type { UserCall } from '#application/ports/operation-caller.ts';
import { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { createStep as step } from '#test/support/webhooks/reaction-call.ts';

/** A server whose calls are answered in this order; an answer that throws is the process's end. */
function opened(...answers: readonly (Outcome | Error)[]) {
  const log = new MemoryReactionLog();
  const clock = new SettableClock(1_000_000);
  const sent: UserCall[] = [];
  const caller = {
    call: async (call: UserCall) => {
      sent.push(call);
      const answer = answers[sent.length - 1] ?? succeeded({ id: 'i-1' });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const apply = new ApplyCallStep({ log, caller, userId: 1, clock });
  return {
    log,
    clock,
    sent,
    run: () => apply.run(step),
    allow: () => log.approve({ digest: 'd', reaction: step.by, by: 'ada', at: 0 }),
  };
}

it('a call waits until an administrator has allowed that very text (WRITE-004)', async () => {
  const { log, sent, run, allow } = opened();
  expect(await run()).toMatchObject({
    ok: true,
    value: { line: expect.stringContaining('waits until an administrator') },
  });
  await log.approve({ digest: 'of another text', reaction: step.by, by: 'ada', at: 0 });
  await run();
  expect(sent).toEqual([]);
  await allow();
  expect(await run()).toMatchObject({ ok: true, value: { line: 'tracker.issues.create → i-1' } });
  expect(sent).toHaveLength(1);
});

it('a call is made once, however often its delivery is worked on (WRITE-005)', async () => {
  const { sent, run, allow, log } = opened();
  await allow();
  for (let times = 0; times < 3; times += 1) await run();
  expect(sent).toHaveLength(1);
  expect(await log.touchedSince({ service: 'tracker', id: 'i-1' }, 0)).toMatchObject({ depth: 1, reaction: step.by });
});

it('a call that a process ended in is not made again: a person decides (WRITE-006)', async () => {
  const { sent, run, allow, log, clock } = opened(new Error('killed'));
  await allow();
  await expect(run()).rejects.toThrow('killed');
  expect(await run()).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
  clock.advance(120_000);
  expect(await run()).toMatchObject({
    ok: false,
    failure: { reason: 'rejected', message: expect.stringContaining('/reactions') },
  });
  expect(sent).toHaveLength(1);
  await log.end('k', { state: 'free' });
  expect(await run()).toMatchObject({ ok: true });
  expect(sent).toHaveLength(2);
});

it('a call without an answer is not made again, one that was not sent is (WRITE-006)', async () => {
  const lost = opened(failed('unavailable', 'The Tracker did not answer within 20 s.'));
  await lost.allow();
  for (let times = 0; times < 2; times += 1)
    expect(await lost.run()).toMatchObject({ failure: { reason: 'rejected' } });
  expect(lost.sent).toHaveLength(1);
  const down = opened(failed('unavailable', 'The connection failed (ECONNREFUSED).'));
  await down.allow();
  expect(await down.run()).toMatchObject({ failure: { reason: 'unavailable' } });
  expect(await down.run()).toMatchObject({ ok: true });
  expect(down.sent).toHaveLength(2);
});

it('a call that the service refuses is a fault of the reaction, and ends no delivery (WRITE-007)', async () => {
  const { run, allow } = opened(failed('rejected', 'There is no team Onboarding.'));
  await allow();
  expect(await run()).toMatchObject({ ok: true, value: { isFault: true, line: expect.stringContaining('no team') } });
});
