import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { maxRequestsInFlight } from '#adapters/mcp/protocol/message-bounds.ts';
import { GuardedDispatcher } from '#adapters/mcp/protocol/protocol-dispatcher.ts';
import type { LineClient } from '#adapters/mcp/transports/line-transport.ts';
import { clientDispatcher } from '#bootstrap/package/client-dispatcher.ts';
import { err, ok } from '#domain/shared/result.ts';
import { Stage } from '#test/contracts/kit/transport-stage.ts';
import { servePort } from '#test/examples/port-transport.ts';
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

describe('a line', () => {
  it('takes so many requests at once, and refuses what is more (MCP-025)', async () => {
    const { stage, parts, sent, line } = opened();
    for (let id = 0; id < maxRequestsInFlight; id += 1) await line.receive(request(id, 'wait', { as: `${id}` }));
    await line.receive(request(1000, 'echo', { text: 'x' }));
    expect(sent.at(-1)).toContain('100 requests on this connection are in flight; wait for their answers.');
    expect(stage.ran).not.toContain('echo');
    parts.end();
  });

  it('refuses each request of a user who may not be served any more, and says what to do (MCP-025)', async () => {
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

  it('goes on after its user could not be looked up', async () => {
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

  it('that is opened after a stop is ended at once (RUN-012)', async () => {
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
  it('refuses what is new, and waits until all is answered (RUN-012)', async () => {
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

describe('a transport of somebody else’s, by `portolan.dispatcher`', () => {
  const dispatcherOf = ({ endpoint, current }: ReturnType<typeof openParts>) =>
    clientDispatcher(endpoint.dispatcher, endpoint.lines, {
      run: async ({ bearer }) => {
        const user = await current();
        if (user === null || bearer !== 'a token') return err({ reason: 'invalid_session' });
        return ok({ user, session: { userId: user.id, issuedAt: Date.now() }, by: 'app' });
      },
    });

  it('is few lines, and inherits rights, bounds and the stop (MCP-024, MCP-025, RUN-012)', async () => {
    const parts = openParts(new Stage());
    const { port1, port2 } = new MessageChannel();
    expect(await servePort(dispatcherOf(parts), port2, 'a token')).toBe(true);
    const heard: string[] = [];
    port1.on('message', (text: string) => void heard.push(text));
    port1.postMessage(request(1, 'echo', { text: 'over a port' }));
    await expect.poll(() => heard[0]).toContain('over a port');
    port1.postMessage('no JSON');
    await expect.poll(() => heard[1]).toContain('-32700');
    await parts.control.revoke();
    port1.postMessage(request(2, 'echo', { text: 'x' }));
    await expect.poll(() => heard[2]).toContain('no longer valid');
    const closed = new Promise((resolve) => port1.once('close', resolve));
    await parts.endpoint.stop(1000);
    await closed;
    parts.end();
  });

  it('connects nobody without a token that counts', async () => {
    const parts = openParts(new Stage());
    const { port2 } = new MessageChannel();
    expect(await servePort(dispatcherOf(parts), port2, 'another')).toBe(false);
    port2.close();
    parts.end();
  });
});
