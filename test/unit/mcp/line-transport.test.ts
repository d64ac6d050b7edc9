import { MessageChannel } from 'node:worker_threads';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { maxRequestsInFlight } from '#adapters/mcp/protocol/message-bounds.ts';
import { GuardedDispatcher } from '#adapters/mcp/protocol/protocol-dispatcher.ts';
import type { LineClient } from '#adapters/mcp/transports/line-transport.ts';
import { clientDispatcher } from '#bootstrap/package/client-dispatcher.ts';
import { err, ok } from '#domain/shared/result.ts';
import { Stage } from '#test/contracts/kit/transport-stage.ts';
import { PortTransport } from '#test/examples/port-transport.ts';
import { openParts } from '#test/support/contracts/transport-parts.ts';
import { people } from '#test/support/mcp/mcp-app.ts';

const request = (id: number, name: string, args: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

/** A line of Ann's, and what it has sent her. */
const opened = (more: Partial<LineClient> = {}) => {
  const stage = new Stage();
  const parts = openParts(stage);
  const sent: string[] = [];
  const client = { current: parts.current, since: null, send: (json: string) => void sent.push(json), end: () => {} };
  return { stage, parts, sent, line: parts.endpoint.lines.open(people.ann, { ...client, ...more }) };
};

describe('a line connection', () => {
  it('accepts a bounded number of requests at once, and refuses more (MCP-025)', async () => {
    const { stage, parts, sent, line } = opened();
    for (let id = 0; id < maxRequestsInFlight; id += 1) await line.receive(request(id, 'wait', { as: `${id}` }));
    await line.receive(request(1000, 'echo', { text: 'x' }));
    expect(sent.at(-1)).toContain('100 requests on this connection are in flight; wait for their answers.');
    expect(stage.ran).not.toContain('echo');
    parts.end();
  });

  it('refuses each request of a user who may no longer be served, and says what to do (MCP-025)', async () => {
    const { stage, parts, sent, line } = opened();
    await parts.control.revoke();
    await line.receive(request(1, 'echo', { text: 'x' }));
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({
      id: 1,
      error: { code: -32000, message: expect.stringContaining('Sign in again and reconnect') },
    });
    expect(stage.ran).toEqual([]);
    parts.end();
  });

  it('continues after its user could not be looked up', async () => {
    let isThere = false;
    const current = () => (isThere ? Promise.resolve(people.ann) : Promise.reject(new Error('The database is away')));
    const { parts, sent, line } = opened({ current });
    await line.receive(request(1, 'echo', { text: 'x' }));
    expect(sent[0]).toContain('"code":-32603');
    expect(sent[0]).not.toContain('The database is away');
    isThere = true;
    await line.receive(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }));
    await expect.poll(() => sent.length).toBe(2);
    parts.end();
  });

  it.each([
    ['too long to be read', null, '4194304 bytes'],
    ['too large', JSON.stringify('x'.repeat(4 << 20)), '4194304 bytes'],
    [
      'too deep',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(101)}1${'}'.repeat(101)}}`,
      '100 levels',
    ],
  ])('refuses a message that is %s (MCP-024)', async (_, message, said) => {
    const { parts, sent, line } = opened();
    await line.receive(message);
    await expect.poll(() => sent[0]).toContain(said);
    parts.end();
  });

  it('that is opened after a stop is closed at once (RUN-012)', async () => {
    let ended = 0;
    const { parts } = opened();
    await parts.endpoint.stop(1);
    const { line, parts: others } = opened();
    others.end();
    parts.endpoint.lines.open(people.ann, {
      current: parts.current,
      since: null,
      send: () => {},
      end: () => void ended++,
    });
    expect(ended).toBe(1);
    await line.receive('no JSON');
  });
});

describe('a stop of the dispatcher', () => {
  it('refuses new requests, and waits until all are answered (RUN-012)', async () => {
    const { promise: running, resolve: answer } = Promise.withResolvers<{ json: string; errorCode: number }>();
    const guarded = new GuardedDispatcher({ dispatch: () => ({ answer: running, cancel: () => {} }) });
    const caller = {
      user: people.ann,
      era: 'legacy',
      choice: { services: null, isReadonly: false, mode: 'all', schemas: 'short' },
      channel: null,
      capabilities: null,
      send: null,
    } as never;
    const first = guarded.dispatch({ jsonrpc: '2.0', id: 1, method: 'ping' }, caller);
    const stopped = guarded.stop(60_000);
    const late = await guarded.dispatch({ jsonrpc: '2.0', id: 2, method: 'ping' }, caller).answer;
    expect(late?.json).toContain('The server is stopping');
    answer({ json: '{}', errorCode: 0 });
    expect((await first.answer)?.json).toBe('{}');
    await stopped;
  });
});

describe('portolan.dispatcher.connect', () => {
  const dispatcherOf = ({ endpoint, current }: ReturnType<typeof openParts>) =>
    clientDispatcher(endpoint.dispatcher, endpoint.lines, {
      run: async ({ bearer }) => {
        const user = await current();
        if (user === null || bearer !== 'a token') return err({ reason: 'invalid_session' });
        return ok({ user, session: { userId: user.id, issuedAt: Date.now() }, by: 'app' });
      },
    });
  const echo = { name: 'echo', arguments: { text: 'over a transport' } };
  const nextOf = (transport: InMemoryTransport, handler: 'onmessage' | 'onclose') =>
    new Promise<unknown>((resolve) => {
      Object.assign(transport, { [handler]: resolve });
    });

  it('serves the SDK’s client over a transport of the SDK, with rights, bounds and the stop (MCP-024, MCP-025, RUN-012)', async () => {
    const parts = openParts(new Stage());
    const [near, far] = InMemoryTransport.createLinkedPair();
    expect(await dispatcherOf(parts).connect(far, { token: 'a token' })).toBe(true);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(near);
    expect(await client.callTool(echo)).toMatchObject({ content: [{ text: 'over a transport' }] });
    const large = { name: 'echo', arguments: { text: 'x'.repeat(4 << 20) } };
    const refusal = nextOf(near, 'onmessage');
    await near.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: large });
    expect(await refusal).toMatchObject({ error: { message: 'A message may have 4194304 bytes.' } });
    await parts.control.revoke();
    const revoked = nextOf(near, 'onmessage');
    await near.send({ jsonrpc: '2.0', id: 10, method: 'tools/call', params: echo });
    expect(await revoked).toMatchObject({ id: 10, error: { message: expect.stringContaining('no longer valid') } });
    const closed = nextOf(near, 'onclose');
    await parts.endpoint.stop(1000);
    await closed;
    parts.end();
  });

  it('serves a transport of one’s own, and answers what is not JSON (MCP-007)', async () => {
    const parts = openParts(new Stage());
    const { port1, port2 } = new MessageChannel();
    expect(await dispatcherOf(parts).connect(new PortTransport(port2), { token: 'a token' })).toBe(true);
    const heard: unknown[] = [];
    port1.on('message', (message) => void heard.push(message));
    port1.postMessage(JSON.parse(request(1, 'echo', { text: 'over a port' })));
    await expect.poll(() => JSON.stringify(heard[0])).toContain('over a port');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    port1.postMessage(cycle);
    await expect.poll(() => heard[1]).toMatchObject({ error: { code: -32700 } });
    port1.postMessage(undefined);
    await expect.poll(() => heard[2]).toMatchObject({ error: { code: -32700 } });
    port1.close();
    parts.end();
  });

  it('refuses an invalid token, and leaves the transport alone', async () => {
    const parts = openParts(new Stage());
    const [near, far] = InMemoryTransport.createLinkedPair();
    expect(await dispatcherOf(parts).connect(far, { token: 'another' })).toBe(false);
    expect(far.onmessage).toBeUndefined();
    await near.close();
    parts.end();
  });
});
