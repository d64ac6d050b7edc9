import assert from 'node:assert/strict';
import type { ReceiptLog, StaleDelivery } from '#application/ports/receipt-log.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const stale = (
  deliveryId: string,
  receivedAt: number,
  ageMs: number | null = 61_003,
): Omit<StaleDelivery, 'times'> => ({
  service: 'tracker',
  deliveryId,
  receivedAt,
  ageMs,
});

/** Contract suite of the receipt log. */
export function receiptsContract<Handle extends Opened<ReceiptLog>>(
  runner: Runner,
  subject: Subject<ReceiptLog, Handle>,
): void {
  contract<ReceiptLog, Handle>(runner, subject, {
    port: 'receipts',
    define: (clause) => {
      clause('RECEIPTS-001 stores when each secret was last used, and never an earlier time', async ({ port }) => {
        await port.noteUse({ service: 'tracker', secretId: 'b', usedAt: at + 1 });
        assert.deepEqual(await port.uses(), [{ service: 'tracker', secretId: 'b', usedAt: at + 1 }]);
        await port.noteUse({ service: 'tracker', secretId: 'b', usedAt: at });
        assert.deepEqual(await port.uses(), [{ service: 'tracker', secretId: 'b', usedAt: at + 1 }]);
        await port.noteUse({ service: 'tracker', secretId: 'b', usedAt: at + 2 });
        assert.deepEqual(await port.uses(), [{ service: 'tracker', secretId: 'b', usedAt: at + 2 }]);
      });

      clause(
        'RECEIPTS-002 lists all uses by service and id, distinguishing the same id of two services',
        async ({ port }) => {
          assert.deepEqual(await port.uses(), []);
          const places = [
            ['tracker', 'b'],
            ['signing', 'b'],
            ['tracker', 'a'],
            ['sales_crm', 'c'],
          ] as const;
          for (const [index, [service, secretId]] of places.entries()) {
            await port.noteUse({ service, secretId, usedAt: at + index });
          }
          assert.deepEqual(await port.uses(), [
            { service: 'sales_crm', secretId: 'c', usedAt: at + 3 },
            { service: 'signing', secretId: 'b', usedAt: at + 1 },
            { service: 'tracker', secretId: 'a', usedAt: at + 2 },
            { service: 'tracker', secretId: 'b', usedAt: at },
          ]);
        },
      );

      clause('RECEIPTS-003 stores the latest of concurrent uses', async ({ port }) => {
        const times = [3, 1, 5, 2, 4];
        const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
        for (const secretId of ids) {
          await Promise.all(times.map((time) => port.noteUse({ service: 'tracker', secretId, usedAt: at + time })));
        }
        assert.deepEqual(
          await port.uses(),
          ids.map((secretId) => ({ service: 'tracker', secretId, usedAt: at + 5 })),
        );
      });

      clause('RECEIPTS-004 lists stale deliveries, latest first, with every field', async ({ port }) => {
        assert.deepEqual(await port.stale(10), []);
        await port.noteStale(stale('middle', at + 1, null));
        await port.noteStale(stale('first', at, -90_001));
        await port.noteStale({ ...stale('last', at + 2), service: 'signing' });
        assert.deepEqual(await port.stale(10), [
          { service: 'signing', deliveryId: 'last', receivedAt: at + 2, ageMs: 61_003, times: 1 },
          { service: 'tracker', deliveryId: 'middle', receivedAt: at + 1, ageMs: null, times: 1 },
          { service: 'tracker', deliveryId: 'first', receivedAt: at, ageMs: -90_001, times: 1 },
        ]);
      });

      clause(
        'RECEIPTS-005 counts a repeated stale delivery, with its last time and age (HOOK-022)',
        async ({ port }) => {
          await port.noteStale(stale('1', at));
          await port.noteStale(stale('2', at + 1));
          await port.noteStale(stale('1', at + 2, 120_000));
          await port.noteStale(stale('1', at + 3, null));
          assert.deepEqual(await port.stale(10), [
            { ...stale('1', at + 3, null), times: 3 },
            { ...stale('2', at + 1), times: 1 },
          ]);
        },
      );

      clause('RECEIPTS-006 distinguishes the same id of two services', async ({ port }) => {
        await port.noteStale(stale('1', at + 1));
        await port.noteStale({ ...stale('1', at, 5), service: 'signing' });
        assert.deepEqual(await port.stale(10), [
          { ...stale('1', at + 1), times: 1 },
          { ...stale('1', at, 5), service: 'signing', times: 1 },
        ]);
      });

      clause('RECEIPTS-007 lists at most the requested number, those with the same time by id', async ({ port }) => {
        for (const id of ['b', 'c', 'a']) await port.noteStale(stale(id, at));
        await port.noteStale(stale('d', at + 1));
        const ids = async (limit: number) => (await port.stale(limit)).map(({ deliveryId }) => deliveryId);
        assert.deepEqual(await ids(10), ['d', 'a', 'b', 'c']);
        assert.deepEqual(await ids(2), ['d', 'a']);
        assert.deepEqual(await ids(0), []);
      });

      clause('RECEIPTS-008 counts each of several concurrent stale deliveries', async ({ port }) => {
        await Promise.all([1, 2, 3, 4, 5].map(() => port.noteStale(stale('1', at))));
        assert.deepEqual(await port.stale(10), [{ ...stale('1', at), times: 5 }]);
      });

      clause('RECEIPTS-009 distinguishes ids of any text', async ({ port }) => {
        for (const [index, id] of oddTexts.entries()) {
          await port.noteUse({ service: 'tracker', secretId: id, usedAt: at + index });
          await port.noteStale(stale(id, at + index));
        }
        const uses = new Map((await port.uses()).map(({ secretId, usedAt }) => [secretId, usedAt]));
        assert.deepEqual(uses, new Map(oddTexts.map((id, index) => [id, at + index])));
        const listed = await port.stale(100);
        assert.deepEqual(
          listed.map(({ deliveryId }) => deliveryId),
          oddTexts.toReversed(),
        );
      });

      clause(
        'RECEIPTS-010 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const use = { service: 'tracker', secretId: 'b', usedAt: at };
          const delivery = stale('1', at);
          await port.noteUse(use);
          await port.noteStale(delivery);
          for (const value of [use, delivery, await port.uses(), await port.stale(10)]) tamper(value);
          assert.deepEqual(await port.uses(), [{ service: 'tracker', secretId: 'b', usedAt: at }]);
          assert.deepEqual(await port.stale(10), [{ ...stale('1', at), times: 1 }]);
        },
      );

      clause(
        'RECEIPTS-011 counts what two processes record',
        async ({ port, beside }) => {
          const other = await beside();
          await Promise.all([port, other, port, other].map((one) => one.noteStale(stale('1', at))));
          await other.noteUse({ service: 'tracker', secretId: 'b', usedAt: at + 1 });
          await port.noteUse({ service: 'tracker', secretId: 'b', usedAt: at });
          assert.deepEqual(await port.stale(10), [{ ...stale('1', at), times: 4 }]);
          assert.deepEqual(await port.uses(), [{ service: 'tracker', secretId: 'b', usedAt: at + 1 }]);
        },
        'processes',
      );

      lifeCycle(clause, {
        prefix: 'RECEIPTS',
        fill: async (port) => {
          await port.noteUse({ service: 'tracker', secretId: 'b', usedAt: at });
          await port.noteUse({ service: 'signing', secretId: 'a', usedAt: at + 1 });
          for (const time of [at, at + 1]) await port.noteStale(stale('1', time, null));
          await port.noteStale({ ...stale('2', at), service: 'signing' });
        },
        read: async (port) => [await port.uses(), await port.stale(10)],
      });

      clause('RECEIPTS-012 keeps only the latest 500 stale deliveries', async ({ port }) => {
        // In tens: a store may bound how many calls wait for it at once.
        for (let first = 0; first < 505; first += 10) {
          const places = Array.from({ length: Math.min(10, 505 - first) }, (_, place) => first + place);
          await Promise.all(places.map((index) => port.noteStale(stale(`d${index}`, at + index))));
        }
        const kept = await port.stale(1000);
        assert.equal(kept.length, 500);
        assert.deepEqual(kept.at(-1), { ...stale('d5', at + 5), times: 1 });
        await port.noteStale(stale('d4', at + 1000));
        assert.deepEqual((await port.stale(1000)).map(({ deliveryId }) => deliveryId).toSpliced(1, 498), ['d4', 'd6']);
      });
    },
  });
}
