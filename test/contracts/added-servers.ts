import assert from 'node:assert/strict';
import type { AddedServers } from '#application/ports/added-servers.ts';
import type { AddedServer } from '#domain/remote-servers/added-server.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const server = (more: Partial<AddedServer> = {}): AddedServer => ({
  key: 'wiki',
  title: oddText,
  url: 'https://mcp.example.com/a-path-that-is-a-key?team=%C3%9C',
  connection: 'oauth',
  userId: 7,
  at,
  ...more,
});
const all = (): readonly AddedServer[] => [
  server({ key: 'zebra', connection: 'none', title: 'The title that only this suite has' }),
  server(),
  server({ key: 'memory', connection: 'key', userId: 8, at: at + 1, url: 'http://localhost:8080/mcp' }),
];

/** Contract suite of stores of the remote MCP servers that administrators added. */
export function addedServersContract<Handle extends Opened<AddedServers>>(
  runner: Runner,
  subject: Subject<AddedServers, Handle>,
): void {
  contract<AddedServers, Handle>(runner, subject, {
    port: 'added servers',
    define: (clause) => {
      clause('ADDED-001 returns every field as it was stored, in the same order', async ({ port }) => {
        await port.replace(all());
        assert.deepEqual(await port.read(), all());
      });

      clause('ADDED-002 has none before some were stored', async ({ port }) => {
        assert.deepEqual(await port.read(), []);
      });

      clause('ADDED-003 replaces all of them: what is not among the next ones is gone', async ({ port }) => {
        await port.replace(all());
        const next = [server({ title: 'Another', at: at - 1 })];
        await port.replace(next);
        assert.deepEqual(await port.read(), next);
        await port.replace([]);
        assert.deepEqual(await port.read(), []);
      });

      clause('ADDED-004 has servers as soon as they are stored', async ({ port }) => {
        for (let count = 1; count <= all().length; count += 1) {
          await port.replace(all().slice(0, count));
          assert.equal((await port.read()).length, count);
        }
      });

      clause('ADDED-005 has one whole list of those that are stored concurrently', async ({ port }) => {
        const lists = Array.from({ length: 10 }, (_, index) =>
          Array.from({ length: index + 1 }, (__, place) => server({ key: `wiki_${'a'.repeat(place + 1)}`, at: index })),
        );
        await Promise.all(lists.map((one) => port.replace(one)));
        const found = await port.read();
        assert.deepEqual(found, lists[found.length - 1]);
      });

      clause(
        'ADDED-006 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = all();
          await port.replace(given);
          tamper(given);
          assert.deepEqual(await port.read(), all());
          tamper(await port.read());
          assert.deepEqual(await port.read(), all());
        },
      );

      clause(
        'ADDED-007 stores no address and no title that can be read',
        async ({ port, raw }) => {
          await port.replace(all());
          const stored = await raw();
          assert.ok(stored.length > 0);
          for (const secret of ['a-path-that-is-a-key', 'The title that only this suite has'])
            assert.ok(!stored.includes(secret), `${secret} is stored as it is`);
        },
        'raw',
      );

      lifeCycle(clause, {
        prefix: 'ADDED',
        fill: async (port) => {
          await port.replace([server({ title: 'First' })]);
          await port.replace(all());
        },
        read: (port) => port.read(),
      });
    },
  });
}
