import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { DeliveryGateway } from '#adapters/services/delivery-gateway.ts';
import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { neutralNames } from '#domain/services/service-names.ts';

const call: OperationCall = { userId: 1, service: 'suite_crm', name: 'records.get', input: {} };
/** Never answers, whatever it is told. */
const deaf: ServiceGateway = { call: () => new Promise(() => {}) };

describe('the gateway as deliveries use it', () => {
  it('sends a request once: repeating is the inbox’s', async () => {
    const calls: OperationCall[] = [];
    const gateway = new DeliveryGateway(
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
    const outcome = await new DeliveryGateway(deaf, neutralNames, 20).call(call);
    const message = 'The Suite CRM did not answer within 1 s.';
    expect(outcome).toEqual({ ok: false, reason: 'unavailable', message });
  });

  it('ends the calls of a work when its signal aborts, and no others', async () => {
    const gateway = new DeliveryGateway(deaf, neutralNames);
    const [one, other] = [new AbortController(), new AbortController()];
    const ended: string[] = [];
    const work = (name: string, signal: AbortSignal) =>
      gateway.run(signal, async () => {
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

  it('leaves nothing at the signals that outlive a call, nor at its own, however it ended', async () => {
    const own: AbortSignal[] = [];
    const answers: (() => ReturnType<ServiceGateway['call']>)[] = [
      async () => succeeded('done'),
      async () => Promise.reject(new Error('broken')),
      () => deaf.call(call),
    ];
    const work = new AbortController();
    for (const answer of answers) {
      const inner: ServiceGateway = {
        call: (given) => {
          if (given.signal !== undefined) own.push(given.signal);
          return answer();
        },
      };
      const gateway = new DeliveryGateway(inner, neutralNames, 20);
      await gateway.run(work.signal, () => gateway.call(call)).catch(() => null);
    }
    expect(own.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0, 0]);
    expect(getEventListeners(work.signal, 'abort')).toEqual([]);
  });
});
