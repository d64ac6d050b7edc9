import type { Bench } from '#test/bench/bench.ts';

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

/** Authenticated MCP requests over `POST /message`. */
export const bench: Bench = {
  name: 'mcp',
  run: async ({ target, compare }) => {
    const load = (body: string) => ({
      url: `${target.url}/message`,
      method: 'POST' as const,
      headers: {
        ...target.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body,
    });
    const call = rpc('tools/call', { name: 'vault_note_read', arguments: { path: 'Deals/Acme.md' } });
    return [
      await compare('tools/call', load(call)),
      await compare('tools/list', load(rpc('tools/list', {}))),
      await compare('ping', load(rpc('ping', {}))),
    ];
  },
};
