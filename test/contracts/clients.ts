import assert from 'node:assert/strict';
import type { Clients } from '#application/ports/clients.ts';
import type { Client } from '#domain/oauth/client.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const ada = (): Client => ({
  id: 'client_Ada-1',
  secret: 'the secret of Ada',
  name: oddText,
  redirectUris: ['http://127.0.0.1:8123/callback?x=1', 'com.example.app:/back'],
  createdAt: 4_102_444_801,
});
const bob = (): Client => ({
  id: 'client_Bob-2',
  secret: 'the secret of Bob',
  name: 'Bob’s client',
  redirectUris: [],
  createdAt: 1_769_172_711,
});
const numbered = (index: number): Client => ({ ...bob(), id: `client_${index}`, createdAt: index });

const none = { ok: false, failure: { reason: 'not_found' } };
const found = (value: Client) => ({ ok: true, value });

/** Contract suite of OAuth client stores. Bounded stores are opened with a capacity of four. */
export function clientsContract<Handle extends Opened<Clients>>(
  runner: Runner,
  subject: Subject<Clients, Handle>,
): void {
  contract<Clients, Handle>(runner, subject, {
    port: 'clients',
    max: 4,
    define: (clause) => {
      clause('CLIENTS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(ada());
        await port.keep(bob());
        assert.deepEqual(await port.find('client_Ada-1'), found(ada()));
        assert.deepEqual(await port.find('client_Bob-2'), found(bob()));
      });

      clause('CLIENTS-002 answers not_found for an id that was not stored, however similar', async ({ port }) => {
        await port.keep(ada());
        const others = [
          '',
          'client_ada-1',
          ' client_Ada-1',
          'client_Ada-1 ',
          'client_Ada',
          'client_Ada-11',
          'client_%',
        ];
        for (const id of [...others, ...oddTexts]) assert.deepEqual(await port.find(id), none, id);
      });

      clause('CLIENTS-003 drops the least recently used client when it is full', async ({ port }) => {
        for (const index of [1, 2, 3, 4]) await port.keep(numbered(index));
        await port.find('client_1');
        await port.keep(numbered(5));
        assert.deepEqual(await port.find('client_2'), none);
        for (const index of [1, 3, 4, 5]) assert.deepEqual(await port.find(`client_${index}`), found(numbered(index)));
        await port.keep(numbered(6));
        assert.deepEqual(await port.find('client_1'), none);
      });

      clause('CLIENTS-004 replaces the client with the same id', async ({ port }) => {
        await port.keep(ada());
        await port.keep(bob());
        const another = { ...ada(), name: 'Another', secret: 'another secret', redirectUris: ['http://[::1]/'] };
        await port.keep(another);
        assert.deepEqual(await port.find('client_Ada-1'), found(another));
        assert.deepEqual(await port.find('client_Bob-2'), found(bob()));
      });

      clause('CLIENTS-005 counts a client that is stored again as used, and only once', async ({ port }) => {
        for (const index of [1, 2, 3, 4, 1, 1]) await port.keep(numbered(index));
        for (const index of [1, 2, 3, 4]) assert.equal((await port.find(`client_${index}`)).ok, true);
        for (const index of [1, 5]) await port.keep(numbered(index));
        assert.equal((await port.find('client_1')).ok, true);
        assert.deepEqual(await port.find('client_2'), none);
      });

      clause(
        'CLIENTS-006 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = ada();
          await port.keep(given);
          tamper(given);
          assert.deepEqual(await port.find('client_Ada-1'), found(ada()));
          tamper(await port.find('client_Ada-1'));
          assert.deepEqual(await port.find('client_Ada-1'), found(ada()));
        },
      );

      clause('CLIENTS-007 has all clients that are stored concurrently', async ({ port }) => {
        await Promise.all([1, 2, 3, 4].map((index) => port.keep(numbered(index))));
        for (const index of [1, 2, 3, 4]) assert.deepEqual(await port.find(`client_${index}`), found(numbered(index)));
      });

      clause('CLIENTS-008 has a client as soon as it is stored', async ({ port }) => {
        assert.deepEqual(await port.find('client_Ada-1'), none);
        await port.keep(ada());
        assert.deepEqual(await port.find('client_Ada-1'), found(ada()));
      });

      clause('CLIENTS-009 drops no client with a sign-in while there are others', async ({ port }) => {
        for (const index of [1, 2, 3, 4]) await port.keep(numbered(index));
        await port.noteSignIn('client_1');
        await port.noteSignIn('client_2');
        for (const index of [5, 6, 7]) await port.keep(numbered(index));
        for (const index of [1, 2, 6, 7]) assert.deepEqual(await port.find(`client_${index}`), found(numbered(index)));
        for (const index of [3, 4, 5]) assert.deepEqual(await port.find(`client_${index}`), none);
      });

      clause('CLIENTS-010 drops a client with a sign-in for a new one when all have one', async ({ port }) => {
        for (const index of [1, 2, 3, 4]) {
          await port.keep(numbered(index));
          await port.noteSignIn(`client_${index}`);
        }
        await port.find('client_1');
        await port.keep(numbered(5));
        assert.deepEqual(await port.find('client_5'), found(numbered(5)));
        assert.deepEqual(await port.find('client_2'), none);
        for (const index of [1, 3, 4]) assert.deepEqual(await port.find(`client_${index}`), found(numbered(index)));
      });

      clause('CLIENTS-011 keeps the sign-in of a client that is stored again', async ({ port }) => {
        await port.keep(numbered(1));
        await port.noteSignIn('client_1');
        await port.keep({ ...numbered(1), secret: 'another' });
        for (const index of [2, 3, 4, 5, 6]) await port.keep(numbered(index));
        assert.deepEqual(await port.find('client_1'), found({ ...numbered(1), secret: 'another' }));
      });

      clause('CLIENTS-012 records a sign-in for the client with that id only', async ({ port }) => {
        for (const index of [1, 2]) await port.keep(numbered(index));
        for (const id of ['client_9', 'CLIENT_1', 'client_%', '']) await port.noteSignIn(id);
        await port.noteSignIn('client_2');
        await port.noteSignIn('client_9');
        assert.deepEqual(await port.find('client_9'), none);
        assert.deepEqual(await port.find('client_2'), found(numbered(2)));
        for (const index of [3, 4, 5]) await port.keep(numbered(index));
        assert.deepEqual(await port.find('client_1'), none);
        assert.deepEqual(await port.find('client_2'), found(numbered(2)));
      });

      lifeCycle(clause, {
        prefix: 'CLIENTS',
        fill: async (port) => {
          await port.keep(ada());
          await port.keep(bob());
          await port.keep({ ...bob(), secret: 'another' });
          await port.noteSignIn('client_Bob-2');
        },
        read: async (port) => [await port.find('client_Ada-1'), await port.find('client_Bob-2')],
      });
    },
  });
}
