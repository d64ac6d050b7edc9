import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Target } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { patchedNotes, startWhole } from '#test/bench/whole.ts';

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

/** The call as a client of protocol 2026-07-28 makes it: with its own envelope, and headers that say the same. */
function modernCall({ url, headers, pid }: Pick<Target, 'url' | 'headers' | 'pid'>) {
  const revision = '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = rpc('tools/call', {
    name: 'vault_note_read',
    arguments: { path: 'Deals/Acme.md' },
    _meta: envelope,
  });
  const own = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'vault_note_read' };
  const all = { ...headers, ...own, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { url: `${url}/message`, method: 'POST' as const, headers: all, body, ...(pid === undefined ? {} : { pid }) };
}

/** Authenticated MCP requests over `POST /message`. */
export const bench: Bench = {
  name: 'mcp',
  run: async ({ target, compare }) => {
    const load = (body: string, { url, headers, pid }: Pick<Target, 'url' | 'headers' | 'pid'> = target) => ({
      url: `${url}/message`,
      ...(pid === undefined ? {} : { pid }),
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
      await compare('tools/call, protocol 2026-07-28', modernCall(target)),
    ];
    const whole = await startWhole();
    rows.push(await compare('vault_note_read, the whole server', load(call, whole)));
    const reading = await serveInChild({ kind: 'reading', file: whole.note });
    rows.push(
      await compare('vault_note_read, the whole server, beside a bare server of the file', load(call, whole), reading),
    );
    await reading.close();
    const patch = (n: number) =>
      rpc('tools/call', {
        name: 'vault_note_patch',
        arguments: {
          path: `Deals/${n % patchedNotes}.md`,
          target: 'value',
          target_type: 'frontmatter',
          content: n,
        },
      });
    const patching = { ...load(patch(1_000_000), whole), bodyOf: patch };
    rows.push(await compare('vault_note_patch, the whole server', patching));
    const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
    const hand = await serveInChild({ kind: 'patching', folder, notes: patchedNotes });
    rows.push(await compare('vault_note_patch, the whole server, beside the same by hand', patching, hand));
    await hand.close();
    await rm(folder, { recursive: true });
    await whole.close();
    return rows;
  },
};
