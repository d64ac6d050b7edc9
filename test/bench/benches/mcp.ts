import type { Bench, Target } from '#test/bench/bench.ts';
import { startWhole } from '#test/bench/whole.ts';

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

/** Authenticated MCP requests over `POST /message`. */
export const bench: Bench = {
  name: 'mcp',
  run: async ({ target, compare }) => {
    const load = (body: string, { url, headers }: Pick<Target, 'url' | 'headers'> = target) => ({
      url: `${url}/message`,
      method: 'POST' as const,
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body,
    });
    const call = rpc('tools/call', { name: 'vault_note_read', arguments: { path: 'Deals/Acme.md' } });
    const rows = [
      await compare('tools/call', load(call)),
      await compare('tools/list', load(rpc('tools/list', {}))),
      await compare('ping', load(rpc('ping', {}))),
    ];
    const whole = await startWhole();
    rows.push(await compare('vault_note_read, the whole server', load(call, whole)));
    await whole.close();
    return rows;
  },
};
