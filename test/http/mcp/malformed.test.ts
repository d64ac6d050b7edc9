import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '#test/support/form.ts';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

const method = fc.oneof(
  fc.constantFrom('ping', 'initialize', 'tools/list', 'tools/call', 'notifications/cancelled', '__proto__'),
  fc.string(),
);
const tool = fc.oneof(fc.constantFrom('vault_note_read', 'vault_command_run', 'toString', '__proto__'), fc.jsonValue());
const params = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      name: tool,
      arguments: fc.jsonValue(),
      cursor: fc.jsonValue(),
      requestId: fc.jsonValue(),
      task: fc.jsonValue(),
      protocolVersion: fc.jsonValue(),
      _meta: fc.oneof(fc.jsonValue(), fc.record({ progressToken: fc.jsonValue() })),
    },
    { requiredKeys: [] },
  ),
);
const id = fc.oneof(fc.integer(), fc.string(), fc.jsonValue());
const message = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', 2), id, method, params },
  { requiredKeys: [] },
);
const nearly = fc
  .oneof(message, fc.array(message, { maxLength: 5 }))
  .map((value) => Buffer.from(JSON.stringify(value)));
const damaged = fc.tuple(nearly, fc.nat(), fc.nat(255)).map(([bytes, place, byte]) => {
  bytes[place % bytes.length] = byte;
  return bytes;
});
const body = fc.oneof(
  nearly,
  damaged,
  fc.uint8Array(),
  fc.json().map((json) => Buffer.from(json)),
);
const header = (...values: string[]) => fc.constantFrom(...values);
const headers = fc.record(
  {
    accept: header('*/*', 'application/json', 'text/event-stream', 'application/json, text/event-stream'),
    'content-type': header('application/json', 'application/json; charset=utf-8', 'text/plain'),
    'mcp-protocol-version': header('2025-03-26', '2025-11-25', 'x'),
  },
  { requiredKeys: [] },
);
const path = fc.constantFrom('/message', '/message', '/message?sessionId=x', '/message?sessionId=&sessionId=y');

const isRpc = (value: unknown) =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'jsonrpc') === '2.0';
const eventsOfRpc = /^(event: message\ndata: \{"jsonrpc":"2\.0".*\}\n\n)+$/;
const expectRpc = (type: string | null, text: string) => {
  expect(type).toBe('application/json');
  const answers: unknown[] = [JSON.parse(text)].flat();
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.every(isRpc)).toBe(true);
};

it('any POST is answered with JSON-RPC or an error in JSON: never 5xx, never a crash (MCP-008)', async () => {
  await fc.assert(
    fc.asyncProperty(body, headers, path, async (bytes, given, at) => {
      const response = await post(app.url, bytes, { headers: given, path: at });
      const text = await response.text();
      expect(response.status).toBeLessThan(500);
      const type = response.headers.get('content-type');
      if (response.status === 202) expect(text).toBe('');
      else if (type === 'text/event-stream') expect(text).toMatch(eventsOfRpc);
      else expectRpc(type, text);
    }),
    { numRuns: rounds(150, 1_000) },
  );
  expect(app.faults).toEqual([]);
});

it('deeply nested JSON is answered, too', async () => {
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const inArguments = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault_note_read","arguments":{"a":${deep}}}}`;
  const response = await post(app.url, inArguments);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1 });
  const asBatch = await post(app.url, deep);
  expect(await asBatch.json()).toMatchObject([{ error: { code: -32600 } }]);
  expect(app.faults).toEqual([]);
});
