import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromMcp } from '#adapters/services/from-mcp/from-mcp.ts';
import { appAt, namesOf, serverWith, textOf } from '#test/support/remote-servers/remote-harness.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

describe.each([
  ['Streamable HTTP', '/message', 'either'],
  ['HTTP+SSE', '/sse', 'sse'],
] as const)('Portolan behind Portolan, over %s', (_, path, transport) => {
  let inner: WholeServer;
  let outer: WholeServer;
  let client: Client;
  beforeAll(async () => {
    inner = await startWholeServer({});
    outer = await serverWith([
      fromMcp({ key: 'inner', title: 'Inner', url: `${inner.origin}${path}`, connection: 'key', transport }),
    ]);
    client = await appAt(outer);
  });
  afterAll(async () => {
    await client.close();
    await outer[Symbol.asyncDispose]();
    await inner[Symbol.asyncDispose]();
  });

  const connect = async (token: string) =>
    sendJson(outer, await outer.signedIn(), [
      'POST',
      '/save',
      { service: 'inner', auth_method: 'personal_token', access_token: token },
    ]);

  it('is not listed before its user is connected, nor with a key that it refuses (REMOTE-001)', async () => {
    expect(await namesOf(client, 'inner')).toEqual([]);
    expect(await connect('wrong')).toMatchObject({ status: 422 });
    expect(await namesOf(client, 'inner')).toEqual([]);
  });

  it('has its tools called with the key of their user (REMOTE-008)', async () => {
    const token = await grantToken(inner.origin, await inner.signedIn(), { name: 'Outer' });
    expect((await connect(token)).status).toBeLessThan(300);
    await vi.waitFor(async () => expect(await namesOf(client, 'inner')).toContain('inner_vault_note_read'), 10_000);
    expect(await textOf(client, 'inner_vault_note_write', { path: 'Far.md', content: '# Far away' })).not.toContain(
      'reason',
    );
    expect(await textOf(client, 'inner_vault_note_read', { path: 'Far.md' })).toContain('# Far away');
    expect(await textOf(client, 'vault_note_read', { path: 'Far.md' })).toContain('not_found');
  });

  it('has its tools called again after it was started again (REMOTE-009)', async () => {
    const { dataDir } = inner;
    const port = new URL(inner.origin).port;
    await inner.stop();
    expect(await textOf(client, 'inner_vault_note_read', { path: 'Far.md' })).toContain('unavailable');
    inner = await startWholeServer({ PORT: port }, dataDir);
    const answered = async () =>
      expect(await textOf(client, 'inner_vault_note_read', { path: 'Far.md' })).toContain('# Far away');
    await vi.waitFor(answered, 15_000);
  });

  it('asks to connect again when the key is refused later (REMOTE-008)', async () => {
    const browser = await inner.signedIn();
    const { body } = await sendJson(inner, browser, ['GET', '/api/apps']);
    const ids = [...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    for (const id of ids) await sendJson(inner, browser, ['DELETE', `/api/apps/${id}`]);
    expect(await textOf(client, 'inner_vault_note_read', { path: 'Far.md' })).toContain('unauthorized');
  });
});
