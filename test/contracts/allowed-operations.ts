import assert from 'node:assert/strict';
import type { AllowedAlways, AllowedOperations } from '#application/ports/approval-policy.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

const at = 1_769_172_711_789;
const allowed = (): AllowedAlways => ({
  userId: 7,
  grantId: 'Aa1-_',
  service: 'tracker',
  operation: 'issues.update',
  at,
});

/** Contract suite of stores of what users always allow. */
export function allowedOperationsContract<Handle extends Opened<AllowedOperations>>(
  runner: Runner,
  subject: Subject<AllowedOperations, Handle>,
): void {
  contract<AllowedOperations, Handle>(runner, subject, {
    port: 'allowed operations',
    define: (clause) => {
      clause('ALLOWED-001 lists every field as it was stored, of the user only', async ({ port }) => {
        assert.deepEqual(await port.list(7), []);
        await port.keep(allowed());
        await port.keep({ ...allowed(), userId: 8 });
        assert.deepEqual(await port.list(7), [allowed()]);
        assert.deepEqual(await port.list(8), [{ ...allowed(), userId: 8 }]);
      });

      clause('ALLOWED-002 lists by app, service and operation', async ({ port }) => {
        await port.keep({ ...allowed(), grantId: 'B' });
        await port.keep({ ...allowed(), grantId: 'A', service: 'vault' });
        await port.keep({ ...allowed(), grantId: 'A', operation: 'issues.update' });
        await port.keep({ ...allowed(), grantId: 'A', operation: 'issues.create' });
        assert.deepEqual(
          (await port.list(7)).map(({ grantId, service, operation }) => `${grantId} ${service} ${operation}`),
          ['A tracker issues.create', 'A tracker issues.update', 'A vault issues.update', 'B tracker issues.update'],
        );
      });

      clause('ALLOWED-003 stores the same operation once, with its first time', async ({ port }) => {
        await port.keep(allowed());
        await port.keep({ ...allowed(), at: at + 5 });
        assert.deepEqual(await port.list(7), [allowed()]);
      });

      clause('ALLOWED-004 removes one once, and only that one', async ({ port }) => {
        await port.keep(allowed());
        for (const other of [{ userId: 8 }, { grantId: 'aa1-_' }, { service: 'vault' }, { operation: 'issues' }]) {
          assert.equal(await port.remove({ ...allowed(), ...other }), false);
          await port.keep({ ...allowed(), ...other });
        }
        assert.equal(await port.remove(allowed()), true);
        assert.equal(await port.remove(allowed()), false);
        assert.equal((await port.list(7)).length, 3);
        assert.equal((await port.list(8)).length, 1);
      });

      clause('ALLOWED-005 removes all of a grant, or of a user', async ({ port }) => {
        const fill = async () => {
          await port.keep(allowed());
          await port.keep({ ...allowed(), grantId: 'other' });
          await port.keep({ ...allowed(), userId: 8 });
        };
        await fill();
        await port.removeOf(7, 'Aa1-_');
        assert.deepEqual(await port.list(7), [{ ...allowed(), grantId: 'other' }]);
        await fill();
        await port.removeOf(7, null);
        assert.deepEqual(await port.list(7), []);
        assert.deepEqual(await port.list(8), [{ ...allowed(), userId: 8 }]);
      });

      clause(
        'ALLOWED-006 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = allowed();
          await port.keep(given);
          tamper(given);
          tamper(await port.list(7));
          assert.deepEqual(await port.list(7), [allowed()]);
        },
      );

      lifeCycle(clause, {
        prefix: 'ALLOWED',
        fill: async (port) => {
          await port.keep(allowed());
          await port.keep({ ...allowed(), operation: 'gone' });
          await port.remove({ ...allowed(), operation: 'gone' });
        },
        read: (port) => port.list(7),
      });
    },
  });
}
