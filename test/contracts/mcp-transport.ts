import assert from 'node:assert/strict';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject, Supports } from '#test/contracts/kit/subject.ts';
import { oddText } from '#test/contracts/kit/texts.ts';
import { answered, asking, type Message, methodOf, results, within } from '#test/contracts/kit/transport-client.ts';
import { Stage } from '#test/contracts/kit/transport-stage.ts';
import type { OpenTransport, TransportClient } from '#test/contracts/kit/transport-subject.ts';

/** Optional abilities of a transport. */
export type TransportSupports = Supports & Readonly<{ listChanges?: boolean }>;

/** A transport under test: `open` serves the stage's tools on it. */
export type TransportSubject = Omit<Subject<OpenTransport>, 'open' | 'supports'> &
  Readonly<{ supports: TransportSupports; open(stage: Stage): Promise<Opened<OpenTransport>> }>;

/** Contract suite of MCP transports, independent of what carries the messages and of what answers them. */
export function mcpTransportContract(runner: Runner, subject: TransportSubject): void {
  const { name, supports } = subject;
  let stage = new Stage();
  const open = async () => {
    stage = new Stage();
    return subject.open(stage);
  };
  contract<OpenTransport, Opened<OpenTransport>>(
    runner,
    { name, supports, open },
    {
      port: 'mcp-transport',
      extras: { listChanges: supports.listChanges ?? true },
      define: (clause) => {
        clause(
          'TRANSPORT-001 answers initialize with the requested version, its name and its capabilities',
          async ({ port }) => {
            const client = await port.connect();
            const { result } = await asking(client, 1, 'initialize', initialize('2025-06-18'));
            assert.equal(result?.['protocolVersion'], '2025-06-18');
            assert.ok(Object.hasOwn(Object(result?.['capabilities']), 'tools'));
            assert.equal(typeof Object(result?.['serverInfo'])['name'], 'string');
          },
        );

        clause('TRANSPORT-002 answers initialize of an unsupported version with a supported one', async ({ port }) => {
          const client = await port.connect();
          const { result } = await asking(client, 1, 'initialize', initialize('1999-01-01'));
          assert.match(String(result?.['protocolVersion']), /^202\d-\d\d-\d\d$/);
        });

        clause('TRANSPORT-003 answers ping', async ({ port }) => {
          assert.deepEqual((await asking(await ready(port), 2, 'ping')).result, {});
        });

        clause('TRANSPORT-004 lists the tools with their schemas', async ({ port }) => {
          const { result } = await asking(await ready(port), 2, 'tools/list');
          const tools: unknown = result?.['tools'];
          assert.ok(Array.isArray(tools));
          assert.deepEqual(new Set(tools.map((tool) => tool.name)), new Set(stage.tools.map((tool) => tool.name)));
          assert.equal(tools.length, stage.tools.length);
          for (const tool of tools) assert.equal(tool.inputSchema.type, 'object');
        });

        clause('TRANSPORT-005 carries any text to a tool and back', async ({ port }) => {
          const client = await ready(port);
          const texts = [oddText, 'before\u0000after', 'x'.repeat(1 << 20), '{"jsonrpc":"2.0"}\n\n'];
          for (const [index, text] of texts.entries()) {
            const { result } = await call(client, index + 2, 'echo', { text });
            assert.equal(textOf(result), text);
          }
        });

        clause('TRANSPORT-006 answers each request under its own id, text or number', async ({ port }) => {
          const client = await ready(port);
          for (const id of ['7', 7, 'an id "in quotes"', 0, -3]) {
            const { result } = await call(client, id, 'echo', { text: `of ${JSON.stringify(id)}` });
            assert.equal(textOf(result), `of ${JSON.stringify(id)}`);
          }
        });

        clause('TRANSPORT-007 answers an unknown method with -32601', async ({ port }) => {
          const client = await ready(port);
          for (const method of ['no/such', 'toString', '__proto__']) {
            assert.equal((await asking(client, method, method)).error?.code, -32601);
          }
        });

        clause('TRANSPORT-008 answers a message that is not JSON with -32700, and continues', async ({ port }) => {
          const client = await ready(port);
          for (const text of ['no JSON', '{"jsonrpc":"2.0","id":9,"method":"ping"', '\u0001']) {
            const before = client.received.length;
            await client.send(text);
            const error = await within(client, before, ({ error }) => error !== undefined);
            assert.equal(error.error?.code, -32700);
          }
          assert.deepEqual((await asking(client, 3, 'ping')).result, {});
        });

        clause('TRANSPORT-009 answers a message that is not a request with -32600, and continues', async ({ port }) => {
          const client = await ready(port);
          for (const value of [
            {},
            { jsonrpc: '1.0', id: 8, method: 'ping' },
            { jsonrpc: '2.0', id: {}, method: 'ping' },
            7,
          ]) {
            const before = client.received.length;
            await client.send(JSON.stringify(value));
            const error = await within(client, before, ({ error }) => error !== undefined);
            assert.equal(error.error?.code, -32600, JSON.stringify(value));
          }
          assert.deepEqual((await asking(client, 3, 'ping')).result, {});
        });

        clause('TRANSPORT-010 answers parameters that are not an object with -32602', async ({ port }) => {
          const client = await ready(port);
          await client.send(JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'ping', params: ['echo'] }));
          assert.equal((await answered(client, 4)).error?.code, -32602);
        });

        clause('TRANSPORT-011 refuses an unknown tool, and runs none', async ({ port }) => {
          const client = await ready(port);
          for (const [index, name] of ['no_such_tool', 'constructor'].entries()) {
            const { error, result } = await call(client, index + 2, name, {});
            assert.ok(error !== undefined || result?.['isError'] === true, name);
          }
          assert.deepEqual(stage.ran, []);
        });

        clause('TRANSPORT-012 answers no notification', async ({ port }) => {
          const client = await ready(port);
          const before = client.received.length;
          for (const method of ['notifications/initialized', 'notifications/no_such', 'notifications/cancelled']) {
            await client.send(JSON.stringify({ jsonrpc: '2.0', method }));
          }
          await asking(client, 5, 'ping');
          assert.deepEqual(
            client.received.slice(before).filter(({ id }) => id !== 5),
            [],
          );
        });

        clause('TRANSPORT-013 refuses a message that is too large, and continues', async ({ port }) => {
          const client = await ready(port);
          const before = client.received.length;
          await client.send(
            JSON.stringify(request(6, 'tools/call', { name: 'echo', arguments: { text: 'x'.repeat(maxBytes) } })),
          );
          const error = await within(client, before, ({ error }) => error !== undefined);
          assert.ok(error.id !== 6 || error.result === undefined);
          assert.deepEqual(stage.ran, []);
          assert.deepEqual((await asking(client, 7, 'ping')).result, {});
        });

        clause('TRANSPORT-014 refuses a message that is nested too deep, and continues', async ({ port }) => {
          const client = await ready(port);
          const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
          await client.send(`{"jsonrpc":"2.0","id":8,"method":"ping","params":${deep}}`);
          assert.equal((await answered(client, 8)).error?.code, -32602);
          assert.deepEqual((await asking(client, 9, 'ping')).result, {});
        });

        clause('TRANSPORT-015 answers concurrent calls as they finish, each under its own id', async ({ port }) => {
          const client = await ready(port);
          await client.send(JSON.stringify(request('slow', 'tools/call', { name: 'wait', arguments: { as: 'slow' } })));
          await stage.running('slow');
          assert.equal(textOf((await call(client, 'fast', 'echo', { text: 'at once' })).result), 'at once');
          assert.deepEqual(results(client, 'slow'), []);
          stage.release('slow');
          assert.equal(textOf((await answered(client, 'slow')).result), 'released');
        });

        clause('TRANSPORT-016 answers a hundred concurrent requests', async ({ port }) => {
          const client = await ready(port);
          const ids = Array.from({ length: 100 }, (_, index) => index + 100);
          await Promise.all(
            ids.map((id) =>
              client.send(JSON.stringify(request(id, 'tools/call', { name: 'echo', arguments: { text: `of ${id}` } }))),
            ),
          );
          for (const id of ids) assert.equal(textOf((await answered(client, id)).result), `of ${id}`);
          assert.equal(client.received.filter(({ id }) => typeof id === 'number' && id >= 100).length, 100);
        });

        clause(
          'TRANSPORT-017 aborts a call that the client cancels, does not answer it, and affects no other',
          async ({ port }) => {
            const client = await ready(port);
            for (const as of ['first', 'second']) {
              await client.send(JSON.stringify(request(as, 'tools/call', { name: 'wait', arguments: { as } })));
              await stage.running(as);
            }
            await client.send(
              JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'first' } }),
            );
            await stage.aborted('first');
            stage.release('second');
            assert.equal(textOf((await answered(client, 'second')).result), 'released');
            assert.deepEqual(results(client, 'first'), []);
          },
        );

        clause('TRANSPORT-018 ignores the cancellation of a call that is not in flight', async ({ port }) => {
          const client = await ready(port);
          await client.send(JSON.stringify(request('kept', 'tools/call', { name: 'wait', arguments: { as: 'kept' } })));
          await stage.running('kept');
          for (const requestId of ['none', 'KEPT', 3, null]) {
            await client.send(
              JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
            );
          }
          await asking(client, 5, 'ping');
          stage.release('kept');
          assert.equal(textOf((await answered(client, 'kept')).result), 'released');
        });

        clause(
          'TRANSPORT-019 reports progress under the client’s token, increasing, before the answer',
          async ({ port }) => {
            const client = await ready(port);
            const params = { name: 'count', arguments: {}, _meta: { progressToken: 'a token' } };
            await client.send(JSON.stringify(request(11, 'tools/call', params)));
            await answered(client, 11);
            const end = client.received.findIndex(({ id }) => id === 11);
            const progress = client.received
              .slice(0, end)
              .filter((message) => methodOf(message) === 'notifications/progress');
            assert.deepEqual(
              progress.map(({ params }) => [params?.['progressToken'], params?.['progress']]),
              [
                ['a token', 1],
                ['a token', 2],
                ['a token', 3],
              ],
            );
          },
        );

        clause('TRANSPORT-020 reports no progress that was not requested', async ({ port }) => {
          const client = await ready(port);
          await call(client, 12, 'count', {});
          await asking(client, 13, 'ping');
          assert.deepEqual(
            client.received.filter((message) => methodOf(message) === 'notifications/progress'),
            [],
          );
        });

        clause(
          'TRANSPORT-021 notifies an initialized client of other tools, and an uninitialized one of nothing',
          async ({ port }) => {
            const [silent, client] = [await port.connect(), await ready(port)];
            await port.changeTools();
            await within(client, 0, (message) => methodOf(message) === 'notifications/tools/list_changed');
            assert.deepEqual(silent.received, []);
          },
          'listChanges',
        );

        clause('TRANSPORT-022 separates clients: the same id from two of them is two requests', async ({ port }) => {
          const [one, other] = [await ready(port), await ready(port)];
          for (const [client, as] of [
            [one, 'one'],
            [other, 'other'],
          ] as const) {
            await client.send(JSON.stringify(request(1000, 'tools/call', { name: 'wait', arguments: { as } })));
            await stage.running(as);
          }
          await one.send(
            JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1000 } }),
          );
          await stage.aborted('one');
          stage.release('other');
          assert.equal(textOf((await answered(other, 1000)).result), 'released');
          assert.deepEqual(results(one, 1000), []);
        });

        clause('TRANSPORT-023 aborts the calls of a client that has gone, and serves the others', async ({ port }) => {
          const [gone, other] = [await ready(port), await ready(port)];
          await gone.send(JSON.stringify(request(1, 'tools/call', { name: 'wait', arguments: { as: 'left alone' } })));
          await stage.running('left alone');
          await gone.close();
          await stage.aborted('left alone');
          assert.deepEqual((await asking(other, 2, 'ping')).result, {});
        });

        clause('TRANSPORT-024 runs nothing for a user whose sign-in is no longer valid', async ({ port }) => {
          const client = await ready(port);
          await port.revoke();
          const before = client.received.length;
          await client.send(JSON.stringify(request(2, 'tools/call', { name: 'echo', arguments: { text: 'x' } })));
          await within(client, before, ({ error }) => error !== undefined);
          assert.deepEqual(
            results(client, 2).filter(({ result }) => result !== undefined),
            [],
          );
          assert.deepEqual(stage.ran, []);
        });

        clause(
          'TRANSPORT-025 reports a tool that fails, and one that throws without its internal message',
          async ({ port }) => {
            const client = await ready(port);
            const failed = await call(client, 2, 'fail', {});
            assert.equal(failed.result?.['isError'], true);
            assert.match(textOf(failed.result), /^It failed/);
            const broken = await call(client, 3, 'break', {});
            assert.ok(broken.error !== undefined || broken.result?.['isError'] === true);
            assert.doesNotMatch(JSON.stringify(broken), /an inner word/);
            assert.deepEqual((await asking(client, 4, 'ping')).result, {});
          },
        );

        clause('TRANSPORT-026 lets calls in flight finish at a stop, and then closes', async ({ port }) => {
          const [client, idle] = [await ready(port), await ready(port)];
          await client.send(JSON.stringify(request(2, 'tools/call', { name: 'wait', arguments: { as: 'running' } })));
          await stage.running('running');
          const stopped = port.stop(60_000);
          stage.release('running');
          assert.equal(textOf((await answered(client, 2)).result), 'released');
          await Promise.all([stopped, client.closed, idle.closed]);
        });

        clause('TRANSPORT-027 runs nothing new once a stop has begun', async ({ port }) => {
          const client = await ready(port);
          await client.send(JSON.stringify(request(2, 'tools/call', { name: 'wait', arguments: { as: 'running' } })));
          await stage.running('running');
          const stopped = port.stop(60_000);
          await client
            .send(JSON.stringify(request(3, 'tools/call', { name: 'echo', arguments: { text: 'late' } })))
            .catch(() => undefined);
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          stage.release('running');
          await stopped;
          assert.deepEqual(stage.ran, ['wait']);
          assert.deepEqual(
            results(client, 3).filter(({ result }) => result !== undefined),
            [],
          );
        });

        clause('TRANSPORT-028 aborts a call that does not finish within the time of a stop', async ({ port }) => {
          const client = await ready(port);
          await client.send(JSON.stringify(request(2, 'tools/call', { name: 'wait', arguments: { as: 'endless' } })));
          await stage.running('endless');
          await port.stop(50);
          await stage.aborted('endless');
          await client.closed;
        });
      },
    },
  );
}

/** A message longer than any transport must accept, in characters. */
const maxBytes = 5 << 20;

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: { elicitation: {} },
  clientInfo: { name: 'contract', version: '1' },
});

const request = (id: string | number, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

/** A client that has initialized. */
async function ready(port: OpenTransport): Promise<TransportClient> {
  const client = await port.connect();
  await asking(client, 'initialize', 'initialize', initialize('2025-06-18'));
  await client.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return client;
}

const call = (client: TransportClient, id: string | number, name: string, args: object): Promise<Message> =>
  asking(client, id, 'tools/call', { name, arguments: args });

/** The text of a tool's result. */
function textOf(result: Message['result']): string {
  const content: unknown = result?.['content'];
  return Array.isArray(content) ? content.map((part) => String(part.text)).join('') : '';
}
