import {
  contains,
  equal,
  eventually,
  holds,
  listAt,
  matches,
  member,
  Skipped,
  status,
  textAt,
} from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import type { Kit } from '#test/kit/kit.ts';
import { initialization, McpClient, messageOf, revision } from '#test/kit/mcp.ts';
import { openStream } from '#test/kit/streams.ts';
import type { Answer } from '#test/kit/wire.ts';

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const codeOf = (message: unknown): unknown => member(message, 'error', 'code');

/** Posts text to `/message` with the shared token. */
async function posted(kit: Kit, body: string): Promise<Answer> {
  const headers = { ...json, authorization: `Bearer ${await kit.token()}`, 'mcp-protocol-version': revision };
  return kit.send({ method: 'POST', path: '/message', headers, body });
}

/** Clauses on the message routes: JSON-RPC, streams, revisions, errors. */
export const mcp: readonly Clause[] = [
  contract('MCP-001/session', 'POST /message without a session is 401', async (kit) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialization(revision) });
    status(await kit.send({ method: 'POST', path: '/message', headers: json, body }), 401);
  }),
  contract(
    'MCP-001',
    'POST /message answers JSON-RPC',
    async (kit) => {
      const answer = await posted(
        kit,
        JSON.stringify({ jsonrpc: '2.0', id: 'kit', method: 'initialize', params: initialization(revision) }),
      );
      status(answer, 200);
      const message = messageOf(answer);
      equal([member(message, 'jsonrpc'), member(message, 'id')], ['2.0', 'kit'], 'jsonrpc and id');
      textAt(message, 'result', 'serverInfo', 'name');
    },
    ['login'],
  ),
  portolan(
    'MCP-002',
    'GET /sse sends the address to post to, and answers come on the stream',
    async (kit) => {
      const authorization = `Bearer ${await kit.token()}`;
      const stream = await openStream(kit.baseUrl, '/sse', { authorization });
      try {
        equal(stream.status, 200, 'the status');
        matches(stream.contentType, /^text\/event-stream\b/, 'the content type');
        const endpoint = await stream.next('an event endpoint', ({ event }) => event === 'endpoint');
        const { pathname, search } = new URL(endpoint.data, kit.baseUrl);
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: initialization('2024-11-05'),
        });
        status(
          await kit.send({ method: 'POST', path: `${pathname}${search}`, headers: { ...json, authorization }, body }),
          202,
        );
        const answer = await stream.next('an answer', ({ data }) => data.includes('"result"'));
        contains(answer.data, 'serverInfo', 'the answer');
      } finally {
        stream.close();
      }
    },
    ['login'],
  ),
  portolan(
    'MCP-003',
    'a message for a stream of another user is 404',
    async (kit) => {
      const stream = await openStream(kit.baseUrl, '/sse', { authorization: `Bearer ${await kit.token()}` });
      try {
        const endpoint = await stream.next('an event endpoint', ({ event }) => event === 'endpoint');
        const { pathname, search } = new URL(endpoint.data, kit.baseUrl);
        const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
        const headers = { ...json, cookie: line.split(';')[0] ?? '' };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
        status(await kit.send({ method: 'POST', path: `${pathname}${search}`, headers, body }), 404);
      } finally {
        stream.close();
      }
    },
    ['login'],
  ),
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((version) =>
    portolan(
      `MCP-004/${version}`,
      `the revision ${version} is negotiated`,
      async (kit) => {
        const result = await (await kit.mcp()).request('initialize', initialization(version));
        equal(member(result, 'protocolVersion'), version, 'protocolVersion');
      },
      ['login'],
    ),
  ),
  portolan(
    'MCP-004/other',
    'another revision is answered with the newest',
    async (kit) => {
      const result = await (await kit.mcp()).request('initialize', initialization('1999-01-01'));
      equal(member(result, 'protocolVersion'), '2025-11-25', 'protocolVersion');
    },
    ['login'],
  ),
  ...(
    [
      ['no-json', '{"jsonrpc":', -32700],
      ['no-request', '{"jsonrpc":"2.0","id":1}', -32600],
      ['version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      ['no-version', '{"id":1,"method":"ping"}', -32600],
      ['method', '{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
      ['params', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', -32602],
    ] as const
  ).map(([variant, body, code]) =>
    portolan(
      `MCP-007/${variant}`,
      `a wrong message is ${code}: ${variant}`,
      async (kit) => equal(codeOf(messageOf(await posted(kit, body))), code, 'the error code'),
      ['login'],
    ),
  ),
  portolan(
    'MCP-007/id',
    'an error has the id of its request',
    async (kit) => {
      const params = { name: 'no_such_tool', arguments: {} };
      for (const asked of [{ method: 'no/such' }, { method: 'tools/call', params }]) {
        const message = messageOf(await posted(kit, JSON.stringify({ jsonrpc: '2.0', id: 'kit-7', ...asked })));
        equal([member(message, 'jsonrpc'), member(message, 'id')], ['2.0', 'kit-7'], 'jsonrpc and id');
      }
    },
    ['login'],
  ),
  portolan(
    'MCP-008',
    'nothing a client sends makes an error -32603',
    async (kit) => {
      const bodies = [
        '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":null}',
        '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"vault://\\u0000"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
        '{"jsonrpc":"2.0","id":1,"method":"constructor"}',
        '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"toString"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\\ud800"}}',
      ];
      for (const body of bodies) {
        const answer = await posted(kit, body);
        holds(answer.status < 500 && codeOf(messageOf(answer)) !== -32603, `no fault at ${body}`, answer.text);
      }
    },
    ['login'],
  ),
  portolan(
    'MCP-011',
    'a call whose client goes away ends the request to the provider',
    async (kit) => {
      const emulator = kit.emulator('sales_crm');
      const before = emulator.abandoned;
      const held = Promise.withResolvers<void>();
      emulator.script(({ path }) => path === '/api/v2/deals/44', {
        until: held.promise,
        body: { success: true, data: { id: 44 } },
      });
      const client = await kit.mcp();
      const isHere = ({ path }: Received): boolean => path === '/api/v2/deals/44';
      const call = {
        jsonrpc: '2.0',
        id: 'to-cancel',
        method: 'tools/call',
        params: { name: 'sales_crm_deal_get', arguments: { id: 44 } },
      };
      const leaving = new AbortController();
      const running = client.post(call, leaving.signal).catch(() => null);
      await eventually('the request', () => emulator.received.find(isHere));
      leaving.abort();
      try {
        await eventually('the request to be given up', () => (emulator.abandoned > before ? true : null));
      } finally {
        held.resolve();
      }
      await running;
    },
    ['login', 'service:sales_crm'],
  ),
  portolan(
    'MCP-018',
    'a batch is answered in its order, each under its own id',
    async (kit) => {
      const headers = { ...json, authorization: `Bearer ${await kit.token()}`, 'mcp-protocol-version': '2025-03-26' };
      const calls = ['a', 'b', 'c'].map((name) => ({ jsonrpc: '2.0', id: name, method: 'ping' }));
      const answer = await kit.send({ method: 'POST', path: '/message', headers, body: JSON.stringify(calls) });
      status(answer, 200);
      const messages = Array.isArray(answer.json) ? answer.json : [];
      equal(
        messages.map((message) => member(message, 'id')),
        ['a', 'b', 'c'],
        'the ids',
      );
    },
    ['login'],
  ),
  portolan(
    'MCP-020',
    'notes are resources under vault://',
    async (kit) => {
      kit.emulators.vault.notes.set('Kit resource.md', 'A resource\n');
      const result = await (await kit.mcp()).request('resources/read', { uri: 'vault://Kit%20resource.md' });
      contains(JSON.stringify(listAt(result, 'contents')), 'A resource', 'the contents');
    },
    ['login', 'service:vault'],
  ),
  portolan(
    'MCP-021',
    'prompts are listed for those who may use their services, and not for the guest',
    async (kit) => {
      const mine = listAt(await (await kit.mcp()).request('prompts/list'), 'prompts');
      if (mine.length === 0) throw new Skipped('the target has no prompts');
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = await McpClient.open(kit.baseUrl, line.slice('user='.length).split(';')[0] ?? '');
      equal(listAt(await guest.request('prompts/list'), 'prompts'), [], 'the prompts of the guest');
    },
    ['login', 'service:vault'],
  ),
];
