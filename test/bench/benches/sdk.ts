import type { Bench, Target } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';

type Address = Pick<Target, 'url' | 'headers'>;

const modern = '2026-07-28';
const legacy = '2025-11-25';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = { name: 'vault_note_read', arguments: { path: 'Deals/Acme.md' } };

/** A request in one era of the protocol, with the headers that the era wants. */
function load({ url, headers }: Address, version: string, [method, params]: readonly [string, object]) {
  const isModern = version === modern;
  const named = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const era = isModern ? { 'mcp-method': method, ...named } : {};
  const given = isModern ? { ...params, _meta: envelope } : params;
  return {
    url: `${url}/message`,
    method: 'POST' as const,
    headers: {
      ...headers,
      ...era,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: given }),
  };
}

/** Authenticated MCP requests in two eras of the protocol, to ours and to the servers of the SDKs with the same 84 tools. */
export const bench: Bench = {
  name: 'sdk',
  run: async ({ target, compare }) => {
    const sdk1 = await serveInChild({ kind: 'sdk', server: 'sdk 1' });
    const lowLevel = await serveInChild({ kind: 'sdk', server: 'sdk 1, low level' });
    const sdk2 = await serveInChild({ kind: 'sdk', server: 'sdk 2' });
    const servers: readonly [string, Address, string][] = [
      [`ours, ${legacy}`, target, legacy],
      [`SDK 1, ${legacy}`, sdk1, legacy],
      [`SDK 1 low level, ${legacy}`, lowLevel, legacy],
      [`SDK 2, ${legacy}`, sdk2, legacy],
      [`ours, ${modern}`, target, modern],
      [`SDK 2, ${modern}`, sdk2, modern],
    ];
    const rows = [];
    for (const [name, address, version] of servers) {
      rows.push(await compare(`tools/call, ${name}`, load(address, version, ['tools/call', call])));
      rows.push(await compare(`tools/list, ${name}`, load(address, version, ['tools/list', {}])));
    }
    for (const server of [sdk1, lowLevel, sdk2]) await server.close();
    return rows;
  },
};
