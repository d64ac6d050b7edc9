import { describe, expect, it } from 'vitest';
import { GatewayDealNames } from '#adapters/services/sales-crm/ports/deal-names.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { NamedRef } from '#domain/events/record-name.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';

const stage = (id: string): NamedRef => ({ service: 'sales_crm', kind: 'stage', id });
const pipeline = (id: string): NamedRef => ({ service: 'sales_crm', kind: 'pipeline', id });

/** Names over a sales CRM that answers what `answers` gives for each call. */
function harness(answers: (call: OperationCall) => Outcome) {
  const calls: OperationCall[] = [];
  const clock = new SettableClock(1_000_000);
  const gateway = {
    call: async (call: OperationCall) => {
      calls.push(call);
      return answers(call);
    },
  };
  const names = new GatewayDealNames(gateway, async () => 7, clock);
  return { calls, clock, name: async (ref: NamedRef) => (await names.of([ref]))(ref), names };
}

const stages = succeeded([
  { id: 2, name: 'Qualified' },
  { id: 3, name: 'Won' },
]);

describe('the names of stages and pipelines', () => {
  it('are requested from the automation user’s sales CRM, and cached for ten minutes (REACT-009)', async () => {
    const { calls, clock, name } = harness(() => stages);
    expect([await name(stage('2')), await name(stage('3'))]).toEqual(['Qualified', 'Won']);
    expect(calls).toMatchObject([{ userId: 7, service: 'sales_crm', name: 'stages.list' }]);
    clock.advance(10 * 60_000 - 1);
    await name(stage('2'));
    expect(calls).toHaveLength(1);
    clock.advance(1);
    await name(stage('2'));
    expect(calls).toHaveLength(2);
  });

  it('are requested once for several callers at a time', async () => {
    const { calls, name } = harness(() => stages);
    await Promise.all([name(stage('2')), name(stage('3')), name(stage('2'))]);
    expect(calls).toHaveLength(1);
  });

  it('are separate lists, and nothing is requested for nothing', async () => {
    const { calls, name, names } = harness(() => succeeded([{ id: 1, name: 'Sales' }]));
    expect(await name(pipeline('1'))).toBe('Sales');
    expect((await names.of([]))(stage('1'))).toBeNull();
    expect(calls.map((call) => call.name)).toEqual(['pipelines.list']);
  });

  it('are read to the last page', async () => {
    const { name } = harness(({ input }) =>
      Object(input).cursor === 'next'
        ? succeeded([{ id: 9, name: 'Last' }])
        : succeeded([{ id: 1, name: 'First' }], { next: 'next', hasMore: true }),
    );
    expect([await name(stage('1')), await name(stage('9'))]).toEqual(['First', 'Last']);
  });

  it('are requested again for new ones, at most once a minute', async () => {
    const { calls, clock, name } = harness(() => (calls.length < 2 ? stages : succeeded([{ id: 4, name: 'New' }])));
    await name(stage('2'));
    expect(await name(stage('4'))).toBeNull();
    expect(calls).toHaveLength(1);
    clock.advance(60_000);
    expect(await name(stage('4'))).toBe('New');
  });

  it.each<[string, Outcome]>([
    ['is not connected', failed('not_connected', 'Connect it.')],
    ['answers with something else', succeeded({ stages: [] })],
  ])('are unknown if the sales CRM %s, which is asked at most once a minute', async (_, outcome) => {
    const { calls, clock, name } = harness(() => outcome);
    expect([await name(stage('2')), await name(stage('2'))]).toEqual([null, null]);
    expect(calls).toHaveLength(1);
    clock.advance(60_000);
    await name(stage('2'));
    expect(calls).toHaveLength(2);
  });

  it('stay known while the sales CRM is unavailable', async () => {
    const { calls, clock, name } = harness(() => (calls.length < 2 ? stages : failed('unavailable', 'Away.')));
    await name(stage('2'));
    clock.advance(10 * 60_000);
    expect(await name(stage('2'))).toBe('Qualified');
    expect(calls).toHaveLength(2);
  });
});
