import assert from 'node:assert/strict';
import type { RemoteClient, RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const entered = (more: Partial<RemoteClient> = {}): RemoteClient => ({
  service: 'wiki',
  issuer: null,
  clientId: oddText,
  clientSecret: 'the-secret-of-the-entered-client',
  redirectUri: null,
  expiresAt: null,
  ...more,
});
const registered = (more: Partial<RemoteClient> = {}): RemoteClient => ({
  service: 'wiki',
  issuer: 'https://login.example.com/',
  clientId: 'registered',
  clientSecret: 'the-secret-of-the-registered-client',
  redirectUri: 'https://portolan.example.com/connect/wiki/callback',
  expiresAt: at,
  ...more,
});
const near = ['wiki_two', 'wik', 'Wiki', 'wiki ', '', 'constructor', '__proto__'];

/** Contract suite of stores of this server’s clients at the authorization servers of remote MCP servers. */
export function remoteClientsContract<Handle extends Opened<RemoteClients>>(
  runner: Runner,
  subject: Subject<RemoteClients, Handle>,
): void {
  contract<RemoteClients, Handle>(runner, subject, {
    port: 'remote clients',
    define: (clause) => {
      clause('RCLIENTS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(registered());
        await port.keep(entered({ service: 'memory', clientSecret: null, issuer: 'https://issuer.example.com' }));
        assert.deepEqual(await port.of('wiki'), [registered()]);
        assert.deepEqual(await port.of('memory'), [
          entered({ service: 'memory', clientSecret: null, issuer: 'https://issuer.example.com' }),
        ]);
      });

      clause('RCLIENTS-002 has none of a service without clients, however similar', async ({ port }) => {
        await port.keep(entered());
        for (const service of near) assert.deepEqual(await port.of(service), [], service);
      });

      clause('RCLIENTS-003 returns the client that was entered first, whichever was stored first', async ({ port }) => {
        await port.keep(registered());
        await port.keep(entered());
        assert.deepEqual(await port.of('wiki'), [entered(), registered()]);
        await port.keep(entered({ service: 'memory' }));
        await port.keep(registered({ service: 'memory' }));
        assert.deepEqual(await port.of('memory'), [entered({ service: 'memory' }), registered({ service: 'memory' })]);
      });

      clause('RCLIENTS-004 replaces the service’s client of the same kind, and no other', async ({ port }) => {
        for (const service of ['wiki', 'memory']) {
          await port.keep(entered({ service }));
          await port.keep(registered({ service }));
        }
        const [again, other] = [
          registered({ clientId: 'again', redirectUri: 'https://other.example.com/' }),
          entered(),
        ];
        await port.keep(again);
        assert.deepEqual(await port.of('wiki'), [other, again]);
        await port.keep(entered({ clientId: 'entered again', clientSecret: null }));
        assert.deepEqual(await port.of('wiki'), [entered({ clientId: 'entered again', clientSecret: null }), again]);
        assert.deepEqual(await port.of('memory'), [entered({ service: 'memory' }), registered({ service: 'memory' })]);
      });

      clause('RCLIENTS-005 forgets both clients of a service, and those of no other', async ({ port }) => {
        for (const service of ['wiki', 'wiki_two']) {
          await port.keep(entered({ service }));
          await port.keep(registered({ service }));
        }
        await port.forget('wiki');
        await port.forget('unknown');
        assert.deepEqual(await port.of('wiki'), []);
        assert.equal((await port.of('wiki_two')).length, 2);
        await port.keep(registered());
        assert.deepEqual(await port.of('wiki'), [registered()]);
      });

      clause('RCLIENTS-006 has all clients that are stored concurrently', async ({ port }) => {
        const services = ['a', 'b', 'c', 'd', 'e', 'f'];
        await Promise.all(services.map((service) => port.keep(registered({ service, clientId: service }))));
        const found = await Promise.all(services.map((service) => port.of(service)));
        assert.deepEqual(
          found,
          services.map((service) => [registered({ service, clientId: service })]),
        );
      });

      clause('RCLIENTS-007 has a client as soon as it is stored', async ({ port }) => {
        assert.deepEqual(await port.of('wiki'), []);
        await port.keep(registered());
        assert.deepEqual(await port.of('wiki'), [registered()]);
      });

      clause(
        'RCLIENTS-008 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = registered();
          await port.keep(given);
          tamper(given);
          assert.deepEqual(await port.of('wiki'), [registered()]);
          tamper(await port.of('wiki'));
          assert.deepEqual(await port.of('wiki'), [registered()]);
        },
      );

      clause(
        'RCLIENTS-009 has all clients that two processes store concurrently',
        async ({ port, beside }) => {
          const other = await beside();
          const services = ['a', 'b', 'c', 'd'];
          await Promise.all(
            services.map((service, index) => (index % 2 === 0 ? port : other).keep(registered({ service }))),
          );
          for (const service of services) assert.equal((await other.of(service)).length, 1, service);
        },
        'processes',
      );

      clause(
        'RCLIENTS-010 stores no client that can be read',
        async ({ port, raw }) => {
          await port.keep(entered());
          await port.keep(registered());
          const stored = await raw();
          assert.ok(stored.length > 0);
          assert.ok(!/the-secret-of|login\.example/.test(stored), 'A client is stored as it is');
        },
        'raw',
      );

      lifeCycle(clause, {
        prefix: 'RCLIENTS',
        fill: async (port) => {
          await port.keep(entered());
          await port.keep(registered({ clientId: 'former' }));
          await port.keep(registered());
          await port.keep(registered({ service: 'memory' }));
          await port.keep(registered({ service: 'gone' }));
          await port.forget('gone');
        },
        read: async (port) => [await port.of('wiki'), await port.of('memory'), await port.of('gone')],
      });
    },
  });
}
