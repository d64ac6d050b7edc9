import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { AddedToServer } from '#test/support/remote-servers/added-servers.ts';
import { type ProtectedServer, startProtectedServer } from '#test/support/remote-servers/oauth-server.ts';
import { startPlainServer, toolOf } from '#test/support/remote-servers/plain-server.ts';
import { appAt, namesOf, textOf } from '#test/support/remote-servers/remote-harness.ts';

let remote: ProtectedServer;
let ours: AddedToServer;

beforeEach(async () => {
  remote = await startProtectedServer();
  ours = await AddedToServer.start();
  await ours.add(remote.url, 'oauth');
  await ours.restart();
});

afterEach(async () => {
  await ours[Symbol.asyncDispose]();
  await remote[Symbol.asyncDispose]();
});

/** Connects as a browser does; returns where it ends up. */
async function connect(browser: PlainBrowser): Promise<string> {
  const begun = await browser.get('/connect/wiki');
  const agreed = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(agreed.headers.get('location') ?? '');
  const finished = await browser.get(`${back.pathname}${back.search}`);
  return finished.headers.get('location') ?? (await finished.text());
}

describe('a person connects to an added MCP server on the page of all services', () => {
  it('and its tools are called with their own token, which no other server gets (REMOTE-030, REMOTE-036)', async () => {
    expect(await (await ours.admin.get('/page')).text()).toContain('href="/connect/wiki"');
    expect(await connect(ours.admin)).toBe('/page#wiki');
    await ours.look();
    await ours.acceptAll();
    const app = await appAt(ours.server);
    expect(await namesOf(app, 'wiki')).toEqual(['wiki_scopes']);
    expect(await textOf(app, 'wiki_scopes')).toContain('mcp:tools');
    const used = new Set(remote.bearers);
    expect([...used].every((bearer) => remote.tokens.has(bearer))).toBe(true);
    await app.close();
  });

  it('and an expired token is renewed in the middle of a call (REMOTE-032)', async () => {
    await connect(ours.admin);
    await ours.look();
    await ours.acceptAll();
    const app = await appAt(ours.server);
    await textOf(app, 'wiki_scopes');
    remote.expire();
    expect(await textOf(app, 'wiki_scopes')).toContain('mcp:tools');
    expect(remote.tokens.size).toBe(1);
    await app.close();
  });

  it('and disconnecting revokes what was granted (REMOTE-032)', async () => {
    await connect(ours.admin);
    expect(remote.tokens.size).toBe(1);
    const { status } = await ours.send('POST', '/disconnect', { service: 'wiki' });
    expect(status).toBe(200);
    expect((await ours.send('GET', '/api/connections')).body).not.toMatchObject({ wiki: { connected: true } });
  });

  it('and none of it is left when another server is added under its key (REMOTE-045)', async () => {
    await connect(ours.admin);
    await ours.send('DELETE', '/api/servers/wiki');
    const other = await startPlainServer([toolOf('find', 'Finds pages')], 'a key of the other');
    await ours.server.stop();
    await ours.restart().catch(() => undefined);
    expect((await ours.add(other.url, 'key')).status).toBe(201);
    await ours.restart();
    expect((await ours.send('POST', '/api/servers/wiki/look')).status).not.toBe(200);
    expect(other.bearers).toEqual([]);
    await other[Symbol.asyncDispose]();
  });

  it('where its metadata as a client is for servers that people reach by HTTPS (REMOTE-049)', async () => {
    const base = 'https://portolan.example';
    expect((await ours.admin.get('/connect/wiki/client')).status).toBe(404);
    await ours.restart({ BASE_URL: base });
    const answer = await fetch(`${ours.server.origin}/connect/wiki/client`);
    expect(await answer.json()).toMatchObject({
      client_id: `${base}/connect/wiki/client`,
      redirect_uris: [`${base}/connect/wiki/callback`],
      token_endpoint_auth_method: 'none',
    });
    expect((await fetch(`${ours.server.origin}/connect/tracker/client`)).status).toBe(404);
  });
});
