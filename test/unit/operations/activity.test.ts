import { describe, expect, it } from 'vitest';
import { PruneActivity } from '#application/activity/prune-activity.ts';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { meteredWebhooks, UsageMeter } from '#application/activity/usage-meter.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import { summedUsage, type UsageCount, usageOfCalls } from '#domain/activity/usage-count.ts';
import { failed, type Outcome, recordIdOf, succeeded } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { MemoryActivityLog } from '#test/doubles/memory-activity-log.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import { answeredBy } from '#test/support/services/operations-over.ts';

const [operation] = fakeCatalog.operations;
const { service, name } = operation ?? { service: '', name: '' };
const user: User = { id: 7, email: 'a@b.c', permissions: [service], isAdmin: false, signedOutBefore: null };
const app = { grantId: 'g1', name: 'Claude Code' };

const hour = 1_799_996_400_000;

const runner = (answer: Outcome) =>
  new RunOperation({ ...answeredBy({ call: async () => answer }), catalog: fakeCatalog });

describe('activity', () => {
  it('records each call by an app: who, of what, how it ended; not what was sent or answered (ACT-001)', async () => {
    const run = runner(succeeded({ id: 42, title: 'A secret title' }));
    await run.run({ ...user, app }, { service, name, input: { id: 41, text: 'A secret text' } });
    const { entries } = run.takeCalls();
    expect(entries).toEqual([
      {
        at: expect.any(Number),
        userId: 7,
        grantId: 'g1',
        app: 'Claude Code',
        service,
        operation: name,
        effect: operation?.effect,
        recordId: '42',
        recordUrl: null,
        outcome: 'ok',
        ms: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect(run.takeCalls().entries).toEqual([]);
  });

  it('records the address that an answer names, if the service vouches for it (ACT-001)', async () => {
    const answeredAddresses = new Map([[service, (data: unknown) => `https://a.example/${JSON.stringify(data)}`]]);
    const parts = { ...answeredBy({ call: async () => succeeded(7) }), catalog: fakeCatalog, answeredAddresses };
    const run = new RunOperation(parts);
    await run.run({ ...user, app }, { service, name, input: {} });
    expect(run.takeCalls().entries).toMatchObject([{ recordUrl: 'https://a.example/7' }]);
  });

  it('records what failed and what was refused (ACT-001)', async () => {
    const run = runner(failed('not_found', 'It is not there.'));
    await run.run({ ...user, app }, { service, name, input: { id: 41 } });
    await run.run({ ...user, permissions: [], app }, { service, name, input: {} });
    expect(run.takeCalls().entries).toMatchObject([
      { outcome: 'not_found', recordId: '41' },
      { outcome: 'forbidden', recordId: null },
    ]);
  });

  it('records nothing of what a person does in a browser, nor of the server’s own work (ACT-001)', async () => {
    const run = runner(succeeded(null));
    await run.run(user, { service, name, input: {} });
    await run.call({ userId: 7, service, name, input: {} });
    expect(run.takeCalls().entries).toEqual([]);
  });

  it('keeps at most 10,000 calls until they are stored, and reports how many more there were (ACT-002)', async () => {
    const run = runner(succeeded(null));
    for (let n = 0; n < 10_003; n += 1) await run.run({ ...user, app }, { service, name, input: {} });
    const { entries, dropped } = run.takeCalls();
    expect([entries.length, dropped]).toEqual([10_000, 3]);
    expect(run.takeCalls().dropped).toBe(0);
  });

  it('is stored in batches, and again when the store could not be written (ACT-002)', async () => {
    const log = new MemoryActivityLog();
    const run = runner(succeeded(null));
    const meter = new UsageMeter({ now: () => hour });
    let isDown = true;
    const record = new RecordActivity({
      takeCalls: () => run.takeCalls(),
      takeUsage: () => meter.take(),
      log: {
        add: async (entries: readonly ActivityEntry[], usage?: readonly UsageCount[]) => {
          if (isDown) throw new Error('down');
          await log.add(entries, usage);
        },
      },
      logger: openLogger('silent'),
    });
    await run.run({ ...user, app }, { service, name, input: {} });
    await record.run();
    await run.run({ ...user, app }, { service, name, input: {} });
    meter.answered(user.id, service, 120);
    await record.run();
    meter.answered(user.id, service, 30);
    expect(await log.list({ limit: 10 })).toEqual([]);
    isDown = false;
    await Promise.all([record.run(), record.run()]);
    expect(await log.list({ limit: 10 })).toHaveLength(2);
    // The calls are of the runner's hour, the tokens of the meter's.
    const sums = { kind: 'calls', service, count: 0, failed: 0 };
    for (const userId of [user.id, null]) {
      expect(await log.usage({ userId, since: hour })).toEqual([{ ...sums, userId, hour, tokens: 150 }]);
    }
  });

  it('is counted by the hour, for its user and for all, with the calls that failed (ACT-013)', async () => {
    const run = runner(failed('not_found', 'None.'));
    await run.run({ ...user, app }, { service, name, input: {} });
    const [one] = run.takeCalls().entries;
    if (one === undefined) throw new Error('No call was noted.');
    const entries = [
      { ...one, at: hour },
      { ...one, at: hour + 3_599_999, outcome: 'ok' as const },
      { ...one, at: hour + 3_600_000, userId: 8 },
    ];
    const sums = { kind: 'calls', service, tokens: 0 };
    expect(summedUsage(usageOfCalls(entries))).toEqual([
      { ...sums, userId: null, hour, count: 2, failed: 1 },
      { ...sums, userId: null, hour: hour + 3_600_000, count: 1, failed: 1 },
      { ...sums, userId: 7, hour, count: 2, failed: 1 },
      { ...sums, userId: 8, hour: hour + 3_600_000, count: 1, failed: 1 },
    ]);
  });

  it('is written with the number of deliveries that were kept and given up, besides the metrics (ACT-013)', () => {
    const meter = new UsageMeter({ now: () => hour + 5 });
    const said: unknown[] = [];
    const metrics = meteredWebhooks(
      { ...noMetrics, received: (...given) => said.push(given), ended: (...given) => said.push(given) },
      meter,
    );
    for (const result of ['kept', 'kept', 'repeated', 'stale']) metrics.received('tracker', result);
    for (const result of ['done', 'retry', 'dead', 'faulty']) metrics.ended('tracker', result);
    expect(said).toHaveLength(8);
    expect(meter.take()).toEqual([
      { userId: null, hour, kind: 'deliveries', service: 'tracker', count: 2, failed: 2, tokens: 0 },
    ]);
    expect(meter.take()).toEqual([]);
  });

  it('is pruned after its retention time, by one server at a time (ACT-004)', async () => {
    const now = 1_800_000_000_000;
    const clock = { now: () => now };
    const log = new MemoryActivityLog();
    const run = runner(succeeded(null));
    await run.run({ ...user, app }, { service, name, input: {} });
    const [entry] = run.takeCalls().entries;
    if (entry === undefined) throw new Error('No call was noted.');
    const days = (n: number) => n * 86_400_000;
    await log.add([days(90) + 1, days(90), 0].map((age) => ({ ...entry, at: now - age })));
    let id = 0;
    const random = { token: () => `owner ${id++}` };
    const leases = new MemoryLeases(clock);
    const prune = () => new PruneActivity({ log, leases, clock, random, days: 90 }).run();
    const pruned = await Promise.all([prune(), prune()]);
    expect(pruned.toSorted((left, right) => left - right)).toEqual([0, 1]);
    expect((await log.list({ limit: 10 })).map(({ at }) => now - at)).toEqual([0, days(90)]);
  });

  it.each([
    [{ id: 5 }, null, '5'],
    [{}, { id: 'abc' }, 'abc'],
    [{ id: 5 }, { id: 6 }, '6'],
    [{ path: 'Deals/Acme.md' }, null, 'Deals/Acme.md'],
    [{ path: 'Deals/Acme.md' }, { id: 5 }, 'Deals/Acme.md'],
    [{ period: 'daily' }, { path: 'Daily/2026-11-23.md' }, 'Daily/2026-11-23.md'],
    [{ module: 'Deals', id: '9' }, null, 'Deals/9'],
    [{ query: 'x' }, [{ id: 1 }], null],
    [{ id: 'x'.repeat(201) }, null, null],
    ['text', 'text', null],
    [null, undefined, null],
  ])('links %j with the answer %j to the record %s (ACT-003)', (input, data, id) => {
    expect(recordIdOf(input, data)).toBe(id);
  });
});
