import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { DeliveryCalls } from '#adapters/services/webhooks/delivery-calls.ts';
import { type OperationCaller, UnsentError, type UserCall } from '#application/ports/operation-caller.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

const call: UserCall = { userId: 1, service: 'suite_crm', name: 'records.get', input: {} };
/** Never answers, whatever it is asked. */
const deaf: OperationCaller = { call: () => new Promise(() => {}) };

type Held = ReturnType<typeof holdOf>;

/** A claim that a test takes away. */
function holdOf() {
  const [lost, cut] = [new AbortController(), new AbortController()];
  const held = {
    lost,
    cut,
    isHeld: true,
    hold: { signal: lost.signal, cut: cut.signal, isHeld: () => held.isHeld && !lost.signal.aborted },
  };
  return held;
}

/** Calls that are answered when a test says so. */
function slow() {
  const begun: UserCall[] = [];
  const answered = Promise.withResolvers<Outcome>();
  const inner: OperationCaller = {
    call: (given) => {
      begun.push(given);
      return answered.promise;
    },
  };
  return { begun, inner, answer: answered.resolve };
}

describe('the calls of deliveries', () => {
  it('send a request once, because the inbox repeats it', async () => {
    const calls: UserCall[] = [];
    const gateway = new DeliveryCalls(
      {
        call: async (given) => {
          calls.push(given);
          return succeeded('done');
        },
      },
      neutralNames,
    );
    expect(await gateway.call(call)).toEqual(succeeded('done'));
    expect(calls).toMatchObject([{ ...call, maxTries: 1, signal: { aborted: false } }]);
  });

  it('end at their deadline, even if they wait for something that does not stop', async () => {
    const outcome = await new DeliveryCalls(deaf, neutralNames, 20).call(call);
    const message = 'The Suite CRM did not answer within 1 s.';
    expect(outcome).toEqual(failed('unavailable', message, { sent: 'no' }));
  });

  it('are cancelled while they wait when the lease of their work is lost, and no others (INBOX-019)', async () => {
    const gateway = new DeliveryCalls(deaf, neutralNames);
    const [one, other] = [holdOf(), holdOf()];
    const ended: string[] = [];
    const work = (name: string, { hold }: Held) =>
      gateway.run(hold, async () => {
        await Promise.resolve();
        const outcome = await gateway.call(call);
        ended.push(name);
        return outcome;
      });
    const [first, second] = [work('one', one), work('other', other)];
    one.lost.abort();
    expect(await first).toEqual(failed('unavailable', 'The call was cancelled.', { sent: 'no' }));
    expect(ended).toEqual(['one']);
    other.cut.abort();
    expect(await second).toMatchObject({ message: 'The call was cancelled.', sent: 'no' });
  });

  it('are not started for work whose lease was lost, and unsent ones are not sent (INBOX-019)', async () => {
    const { begun, inner, answer } = slow();
    const gateway = new DeliveryCalls(inner, neutralNames);
    const held = holdOf();
    const late = gateway.run(held.hold, () => gateway.call(call));
    // Only the clock says so: the process stood still, and no timer has run yet.
    held.isHeld = false;
    expect(begun.map(({ departure }) => departure?.begin())).toEqual([false]);
    answer(failed('unavailable', 'It may not leave.'));
    expect(await late).toMatchObject({ ok: false, sent: 'no' });
    expect(await gateway.run(held.hold, () => gateway.call(call))).toMatchObject({ ok: false, sent: 'no' });
    expect(begun).toHaveLength(1);
  });

  it.each([
    succeeded({ id: 'i-1' }),
    failed('rejected', 'No such team.', { sent: 'yes' }),
    failed('unavailable', 'Answered 502.', { sent: 'unknown' }),
  ])('return the outcome of a call that was sent before the lease was lost: %j (INBOX-019)', async (outcome) => {
    const { begun, inner, answer } = slow();
    const gateway = new DeliveryCalls(inner, neutralNames);
    const held = holdOf();
    const calling = gateway.run(held.hold, () => gateway.call(call));
    expect(begun[0]?.departure?.begin()).toBe(true);
    held.lost.abort();
    await new Promise(setImmediate);
    answer(outcome);
    expect(await calling).toEqual(outcome);
  });

  it('are aborted at a stop even if they were sent, and report that they may have been', async () => {
    const { begun, inner } = slow();
    const gateway = new DeliveryCalls(inner, neutralNames);
    const held = holdOf();
    const calling = gateway.run(held.hold, () => gateway.call(call));
    begun[0]?.departure?.begin();
    held.cut.abort();
    expect(begun[0]?.departure?.cut.aborted).toBe(true);
    expect(await calling).toEqual(failed('unavailable', 'The call was cancelled.', { sent: 'unknown' }));
  });

  it('report whether an error came before anything was sent (WRITE-023)', async () => {
    for (const hasLeft of [false, true]) {
      const inner: OperationCaller = {
        call: async ({ departure }) => {
          if (hasLeft) departure?.begin();
          throw new Error('The database is away.');
        },
      };
      const error = await new DeliveryCalls(inner, neutralNames).call(call).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: 'The database is away.' });
      expect(error instanceof UnsentError).toBe(!hasLeft);
    }
  });

  it('leave no listener on signals that outlive a call, nor on their own, however they ended', async () => {
    const own: AbortSignal[] = [];
    const answers: (() => ReturnType<OperationCaller['call']>)[] = [
      async () => succeeded('done'),
      async () => Promise.reject(new Error('broken')),
      () => deaf.call(call),
    ];
    const work = holdOf();
    for (const answer of answers) {
      const inner: OperationCaller = {
        call: (given) => {
          if (given.signal !== undefined) own.push(given.signal);
          return answer();
        },
      };
      const gateway = new DeliveryCalls(inner, neutralNames, 20);
      await gateway.run(work.hold, () => gateway.call(call)).catch(() => null);
    }
    expect(own.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0, 0]);
    for (const { signal } of [work.lost, work.cut]) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
