import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { DeliveryCalls } from '#adapters/services/delivery-calls.ts';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

const call: UserCall = { userId: 1, service: 'suite_crm', name: 'records.get', input: {} };
/** Never answers, whatever it is told. */
const deaf: OperationCaller = { call: () => new Promise(() => {}) };

describe('the calls of deliveries', () => {
  it('sends a request once: repeating is the inbox’s', async () => {
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

  it('ends a call at its deadline, also one that waits for something that does not hear of it', async () => {
    const outcome = await new DeliveryCalls(deaf, neutralNames, 20).call(call);
    const message = 'The Suite CRM did not answer within 1 s.';
    expect(outcome).toEqual({ ok: false, reason: 'unavailable', message });
  });

  it('ends the calls of a work when its signal aborts, and no others', async () => {
    const gateway = new DeliveryCalls(deaf, neutralNames);
    const [one, other] = [new AbortController(), new AbortController()];
    const ended: string[] = [];
    const work = (name: string, signal: AbortSignal) =>
      gateway.run({ signal, isHeld: () => true }, async () => {
        await Promise.resolve();
        const outcome = await gateway.call(call);
        ended.push(name);
        return outcome;
      });
    const [first, second] = [work('one', one.signal), work('other', other.signal)];
    one.abort();
    expect(await first).toMatchObject({ ok: false, reason: 'unavailable', message: 'The call was cancelled.' });
    expect(ended).toEqual(['one']);
    other.abort();
    await second;
  });

  it('begins no call of work that is another process’s by now (INBOX-014)', async () => {
    let calls = 0;
    const inner: OperationCaller = {
      call: async () => {
        calls += 1;
        return succeeded('done');
      },
    };
    const gateway = new DeliveryCalls(inner, neutralNames);
    const hold = { signal: new AbortController().signal, isHeld: () => false };
    expect(await gateway.run(hold, () => gateway.call(call))).toMatchObject({ ok: false, reason: 'unavailable' });
    expect(calls).toBe(0);
  });

  it('leaves nothing at the signals that outlive a call, nor at its own, however it ended', async () => {
    const own: AbortSignal[] = [];
    const answers: (() => ReturnType<OperationCaller['call']>)[] = [
      async () => succeeded('done'),
      async () => Promise.reject(new Error('broken')),
      () => deaf.call(call),
    ];
    const work = new AbortController();
    for (const answer of answers) {
      const inner: OperationCaller = {
        call: (given) => {
          if (given.signal !== undefined) own.push(given.signal);
          return answer();
        },
      };
      const gateway = new DeliveryCalls(inner, neutralNames, 20);
      await gateway.run({ signal: work.signal, isHeld: () => true }, () => gateway.call(call)).catch(() => null);
    }
    expect(own.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0, 0]);
    expect(getEventListeners(work.signal, 'abort')).toEqual([]);
  });
});
