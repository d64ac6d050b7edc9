import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;
let authorization: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  authorization = `Bearer ${await grantToken(server.origin, ada, { name: 'Agent' })}`;
});

afterAll(() => server[Symbol.asyncDispose]());

const rpc = async (method: string, params: object = {}) => {
  const response = await fetch(`${server.origin}/message`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.text();
};
const put = (off: unknown) => sendJson(server, ada, ['PUT', '/api/switches', { off }]);
const search = { name: 'vault_search', arguments: { query: 'Acme' } };

describe('tool switches', () => {
  it('hide a tool and refuse it over MCP and REST, and bring it back (SWITCH-002)', async () => {
    expect(await rpc('tools/list')).toContain('"vault_note_read"');
    expect(await put(['vault:*read'])).toMatchObject({ status: 200 });
    const listed = await rpc('tools/list');
    expect(listed).not.toContain('"vault_note_read"');
    expect(listed).toContain('"vault_note_write"');
    expect(await rpc('tools/call', search)).toContain('forbidden');
    const rest = await fetch(`${server.origin}/api/vault/vault/Acme.md`, { headers: { authorization } });
    expect([rest.status, await rest.json()]).toMatchObject([403, { reason: 'forbidden' }]);
    await put([]);
    expect(await rpc('tools/list')).toContain('"vault_note_read"');
    expect(await rpc('tools/call', search)).not.toContain('forbidden');
  });

  it('are also a form, which leaves other services alone, and are refused to apps (SWITCH-001)', async () => {
    await put(['tracker:*write']);
    const html = await (await ada.get('/tools/vault')).text();
    const shown = [...html.matchAll(/name="shown" value="([^"]+)"/g)].map((match) => match[1] ?? '');
    const form = new URLSearchParams({ csrf_token: hiddenFields(html)['csrf_token'] ?? '' });
    for (const key of shown) form.append('shown', key);
    for (const key of shown.filter((one) => one !== 'vault:*destroy')) form.append('on', key);
    expect((await ada.post('/tools/vault', form)).status).toBe(303);
    expect((await sendJson(server, ada, ['GET', '/api/switches'])).body).toEqual({
      off: ['tracker:*write', 'vault:*destroy'],
    });
    expect(await put(['vault:no.such'])).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
    expect((await ada.post('/tools/vault', { csrf_token: 'forged' })).status).toBe(403);
    const app = await fetch(`${server.origin}/api/switches`, { headers: { authorization } });
    expect(app.status).toBe(403);
    await put([]);
  });

  it('notify open clients (SWITCH-003)', async () => {
    const response = await fetch(`${server.origin}/sse`, { headers: { authorization, accept: 'text/event-stream' } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string | RegExp) => {
      while (text.match(part) === null) {
        const read = await reader?.read();
        if (read === undefined || read.done) throw new Error(`The stream ended: ${text}`);
        text += read.value;
      }
    };
    await until(/data: (\/message\S*)/);
    const endpoint = /data: (\S+)/.exec(text)?.[1] ?? '';
    const send = (body: object) =>
      fetch(new URL(endpoint, server.origin), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const clientInfo = { name: 'test', version: '0' };
    await send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    await until('"id":1');
    await send({ method: 'notifications/initialized' });
    await put(['vault:*destroy']);
    await until('notifications/tools/list_changed');
    await reader?.cancel();
    await put([]);
    expect(text).toContain('list_changed');
  }, 60_000);
});
