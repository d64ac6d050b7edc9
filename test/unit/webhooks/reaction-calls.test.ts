import { expect, it } from 'vitest';
import { UnsentError, type UserCall } from '#application/ports/operation-caller.ts';
import { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { noInbox, createStep as step } from '#test/support/webhooks/reaction-call.ts';

type Answer = Outcome | Error | Promise<Outcome>;

/** Servers on one log, each with its calls answered in this order; an answer that throws is the process's end. */
function opened(...answers: readonly Answer[]) {
  const log = new MemoryReactionLog();
  const clock = new SettableClock(1_000_000);
  const sent: UserCall[] = [];
  const replayed: number[] = [];
  let paused = 0;
  const caller = {
    call: async (call: UserCall) => {
      sent.push(call);
      const answer = answers[sent.length - 1] ?? succeeded({ id: 'i-1' });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const inbox = {
    replay: async (seq: number) => {
      replayed.push(seq);
      return true;
    },
  };
  const isReading = ({ name }: Readonly<{ name: string }>) => name.endsWith('.get');
  const pause = async (ms: number) => {
    paused += ms;
  };
  const server = () => new ApplyCallStep({ ...noInbox, log, inbox, caller, isReading, clock, pause });
  const apply = server();
  return {
    log,
    clock,
    sent,
    replayed,
    paused: () => paused,
    server,
    run: (name = step.name) => apply.run({ ...step, name }),
    allow: () => log.approve({ digest: 'd', reaction: step.by, by: 'ada', at: 0 }),
    states: async () => (await log.calls({ limit: 9 })).map(({ state }) => state),
  };
}

const undecided = { ok: true, value: { result: 'failed', line: expect.stringContaining('decide on /reactions') } };
const underWay = { ok: false, failure: { reason: 'unavailable', retryAfterMs: 5_000 } };
const made = { ok: true, value: { line: 'tracker.issues.create → i-1' } };

it('a call waits until an administrator has approved its exact text (WRITE-004)', async () => {
  const { log, sent, run, allow } = opened();
  expect(await run()).toMatchObject({
    ok: true,
    value: { line: expect.stringContaining('waits until an administrator') },
  });
  await log.approve({ digest: 'of another text', reaction: step.by, by: 'ada', at: 0 });
  await run();
  expect(sent).toEqual([]);
  await allow();
  expect(await run()).toMatchObject(made);
  expect(sent).toHaveLength(1);
});

it('a call is made once, however often its delivery is processed (WRITE-005)', async () => {
  const { sent, run, allow, log } = opened();
  await allow();
  for (let times = 0; times < 3; times += 1) await run();
  expect(sent).toHaveLength(1);
  expect(await log.touchedSince({ service: 'tracker', id: 'i-1' }, 0)).toMatchObject({ depth: 1, reaction: step.by });
});

it('a call during which the process ended is not repeated: a person decides (WRITE-006)', async () => {
  const { sent, server, allow, log, clock } = opened(new Error('killed'));
  await allow();
  await expect(server().run(step)).rejects.toThrow('killed');
  expect(await server().run(step)).toMatchObject(underWay);
  clock.advance(120_000);
  expect(await server().run(step)).toMatchObject(undecided);
  expect(sent).toHaveLength(1);
  await log.end('k', { state: 'free' });
  expect(await server().run(step)).toMatchObject(made);
  expect(sent).toHaveLength(2);
});

it('a call that may have been sent is not repeated, an unsent one is, whatever the error says (WRITE-006, WRITE-023)', async () => {
  const lost = opened(failed('unavailable', 'The connection failed (ECONNREFUSED).', { sent: 'unknown' }));
  await lost.allow();
  for (let times = 0; times < 2; times += 1) expect(await lost.run()).toMatchObject(undecided);
  expect(lost.sent).toHaveLength(1);
  for (const sent of ['no', 'yes'] as const) {
    const unsent = opened(failed('unavailable', 'The Tracker did not answer within 20 s.', { sent }));
    await unsent.allow();
    expect(await unsent.run()).toMatchObject({ failure: { reason: 'unavailable' } });
    expect(await unsent.states()).toEqual([]);
    expect(await unsent.run()).toMatchObject(made);
    expect(unsent.sent).toHaveLength(2);
  }
});

it('a call that only reads is repeated even if it may have been sent (WRITE-023)', async () => {
  const { run, allow, sent } = opened(failed('unavailable', 'No answer.', { sent: 'unknown' }));
  await allow();
  expect(await run('issues.get')).toMatchObject({ failure: { reason: 'unavailable' } });
  expect(await run('issues.get')).toMatchObject({ ok: true, value: { result: 'ran' } });
  expect(sent).toHaveLength(2);
});

it('a call that failed before it was sent is repeated (WRITE-023)', async () => {
  const { run, allow, sent, states } = opened(new UnsentError(new Error('The database is away.')));
  await allow();
  await expect(run()).rejects.toThrow('The database is away.');
  expect(await states()).toEqual([]);
  expect(await run()).toMatchObject(made);
  expect(sent).toHaveLength(2);
});

it('a call that this process is still making is never given up, however long the process was frozen (WRITE-023)', async () => {
  const answer = Promise.withResolvers<Outcome>();
  const { run, allow, clock, sent, states } = opened(answer.promise);
  await allow();
  const first = run();
  await new Promise(setImmediate);
  clock.advance(8 * 3_600_000);
  expect(await run()).toMatchObject(underWay);
  expect(await states()).toEqual(['begun']);
  answer.resolve(succeeded({ id: 'i-1' }));
  expect(await first).toMatchObject(made);
  expect(await run()).toMatchObject(made);
  expect(sent).toHaveLength(1);
});

it.each([
  { how: 'made', outcome: succeeded({ id: 'i-1' }), calls: 1 },
  { how: 'not sent', outcome: failed('unavailable', 'The call was cancelled.'), calls: 2 },
])(
  'a call that another server gave up, and that ends as $how, needs nobody: its delivery continues (INBOX-019)',
  async ({ outcome, calls }) => {
    const answer = Promise.withResolvers<Outcome>();
    const { server, allow, clock, sent, replayed, states } = opened(answer.promise);
    await allow();
    const frozen = server().run(step);
    await new Promise(setImmediate);
    clock.advance(120_000);
    const other = server();
    expect(await other.run(step)).toMatchObject(undecided);
    expect(await states()).toEqual(['unknown']);
    answer.resolve(outcome);
    await frozen;
    expect(replayed).toEqual([step.seq]);
    expect(await other.run(step)).toMatchObject(made);
    expect(sent).toHaveLength(calls);
  },
);

it('the result of a call is recorded once the log can be written again, at once or with the next attempt (INBOX-019)', async () => {
  for (const failures of [3, 5]) {
    const { log, run, allow, sent, paused } = opened();
    await allow();
    const end = log.end.bind(log);
    let left = failures;
    log.end = async (...which) => {
      left -= 1;
      if (left >= 0) throw new Error('The database is away.');
      return end(...which);
    };
    const first = await run().catch((error: unknown) => error);
    if (failures === 3) expect(first).toMatchObject(made);
    else expect(first).toBeInstanceOf(Error);
    expect(paused()).toBeGreaterThan(1_000);
    expect(await run()).toMatchObject(made);
    expect(sent).toHaveLength(1);
  }
});

it('a call that the service refuses is an error of the reaction, and ends no delivery (WRITE-007)', async () => {
  const { run, allow } = opened(failed('rejected', 'There is no team Onboarding.', { sent: 'yes' }));
  await allow();
  expect(await run()).toMatchObject({
    ok: true,
    value: { result: 'failed', line: expect.stringContaining('no team') },
  });
});
