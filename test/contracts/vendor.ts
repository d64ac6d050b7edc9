import assert from 'node:assert/strict';
import type { FailureReason } from '#domain/operations/outcome.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import { type CannedVendor, VendorStage } from '#test/contracts/kit/vendor-stage.ts';

export type { Answered, Asked, CannedDelivery, CannedVendor, Exchange } from '#test/contracts/kit/vendor-stage.ts';

/** Bodies that no sender would send, and that must not make a receiver throw. */
const oddBodies: readonly unknown[] = [null, 0, '', [], [null], {}, { data: null }, { meta: 1 }, [[{ id: {} }]], 'x'];

/**
 * Contract suite of vendors: what a vendor sends for each operation of its kind, how it reads answers, errors, pages and
 * deliveries. Everything that the provider says is canned; nothing is sent outside this process.
 */
export function vendorContract(runner: Runner, canned: CannedVendor): void {
  const { name, operations = {}, pages = [], errors = [], deliveries = [] } = canned;
  const open = async (): Promise<Opened<VendorStage>> => {
    const stage = await VendorStage.open(canned);
    return { port: stage, close: () => stage.close() };
  };
  const supports = { durable: false, processes: false, clock: false };
  contract<VendorStage, Opened<VendorStage>>(
    runner,
    { name, supports, open },
    {
      port: 'vendor',
      extras: { pages: pages.length > 0, errors: errors.length > 0, webhooks: deliveries.length > 0 },
      define: (clause) => {
        clause('VENDOR-001 does each operation of its kind, or says that it lacks it', async ({ port }) => {
          assert.deepEqual(
            port.done().filter((operation) => operations[operation] === undefined),
            [],
            'without a canned exchange',
          );
          for (const operation of port.lacking()) {
            assert.equal(operations[operation], undefined, `${operation} is lacking, and has an exchange`);
            const outcome = await port.call(operation, null);
            assert.ok(!outcome.ok && outcome.reason === 'rejected' && port.seen.length === 0, operation);
          }
        });

        clause(
          'VENDOR-002 sends the requests of each operation, with the credentials of the connection',
          async ({ port }) => {
            for (const [operation, exchange] of Object.entries(operations)) {
              const outcome = await port.exchange(operation, exchange);
              assert.ok(outcome.ok, `${operation}: ${outcome.ok ? '' : outcome.message}`);
              assert.ok(
                port.seen.every((request) => JSON.stringify(request).includes(port.secret)),
                `${operation}: no credentials`,
              );
            }
          },
        );

        clause('VENDOR-003 answers in the members of its kind', async ({ port }) => {
          for (const [operation, exchange] of Object.entries(operations)) {
            const outcome = await port.exchange(operation, exchange);
            assert.ok(outcome.ok, operation);
            assert.deepEqual(port.misfits(operation, outcome), [], operation);
            if (exchange.data !== undefined)
              assert.partialDeepStrictEqual(plain(outcome.data), plain(exchange.data), operation);
          }
        });

        clause(
          'VENDOR-004 turns errors into their reasons, without the credentials',
          async ({ port }) => {
            for (const { operation, input = {}, answer, reason, says } of errors) {
              const outcome = await port.exchange(operation, { input, exchanges: [{ answer }] });
              assert.ok(!outcome.ok, `${operation}: ${answer.status} is no failure`);
              assert.equal(outcome.reason satisfies FailureReason, reason);
              assert.ok(!JSON.stringify(outcome).includes(port.secret), 'the credentials are in the failure');
              if (says !== undefined) assert.match(outcome.message, says);
            }
          },
          'errors',
        );

        clause(
          'VENDOR-005 continues a list by the next of its page, and ends it',
          async ({ port }) => {
            for (const { operation, input = {}, answers, cursor } of pages) {
              let next: string | null = null;
              for (const [at, exchange] of answers.entries()) {
                const asked: Readonly<Record<string, unknown>> = next === null ? input : { ...input, [cursor]: next };
                const outcome = await port.exchange(operation, { input: asked, exchanges: [exchange] });
                assert.ok(outcome.ok, operation);
                next = outcome.pagination?.next ?? null;
                assert.equal(next !== null, at < answers.length - 1, `${operation}: page ${at + 1}`);
              }
            }
          },
          'pages',
        );

        clause(
          'VENDOR-006 accepts its deliveries, and reads their events',
          async ({ port }) => {
            for (const delivery of deliveries) {
              assert.deepEqual(await port.eventsOf(delivery), delivery.events);
            }
          },
          'webhooks',
        );

        clause(
          'VENDOR-007 refuses a delivery whose body, proof or secret is not its own',
          async ({ port }) => {
            for (const delivery of deliveries) {
              for (const forged of port.forgeries(delivery)) {
                assert.ok(!port.verifies(forged), `${forged.how} is accepted`);
              }
            }
          },
          'webhooks',
        );

        clause(
          'VENDOR-008 throws for no body, whatever it holds',
          async ({ port }) => {
            for (const body of oddBodies) assert.ok(port.readsSafely(body).length > 0);
          },
          'webhooks',
        );
      },
    },
  );
}

const plain = (value: unknown): object => ({ value: JSON.parse(JSON.stringify(value ?? null)) as unknown });
