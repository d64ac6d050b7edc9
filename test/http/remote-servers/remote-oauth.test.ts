import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { type ProtectedServer, startProtectedServer } from '#test/support/remote-servers/oauth-server.ts';
import { RemoteFlow, redirectUri } from '#test/support/remote-servers/remote-flow.ts';

let server: ProtectedServer;
let flow: RemoteFlow;

beforeEach(async () => {
  server = await startProtectedServer();
  flow = new RemoteFlow(server.url);
});

afterEach(async () => {
  flow[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Goes through the flow as a browser does. */
async function connected(): Promise<TokenRecord> {
  const begun = await flow.begin();
  if (!begun.ok) throw new Error(begun.failure.message);
  const agreed = await fetch(begun.value.url, { redirect: 'manual' });
  const back = new URL(agreed.headers.get('location') ?? '');
  const granted = await flow.exchange(begun.value, Object.fromEntries(back.searchParams));
  if (!granted.ok) throw new Error(granted.failure.message);
  return granted.value;
}

const call = (record: TokenRecord) =>
  fetch(server.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${record.accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'scopes', arguments: {} } }),
  });

describe('a person connects to a remote MCP server by its own OAuth', () => {
  it('which is found by its challenge and its metadata, with PKCE and the server as the resource (REMOTE-030)', async () => {
    const begun = await flow.begin();
    const asked = new URL(begun.ok ? begun.value.url : '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      state: 'the-state',
      scope: 'mcp:tools',
      resource: server.url,
    });
    const record = await connected();
    expect(record).toMatchObject({ authMethod: 'oauth', service: 'wiki', scope: 'mcp:tools', expiresAt: 3_601_000 });
    expect(server.tokens.get(record.accessToken)).toMatchObject({ resource: server.url });
    expect((await call(record)).status).toBe(200);
  });

  it('where this server registers itself once (REMOTE-031)', async () => {
    await connected();
    await connected();
    expect([...server.clients.values()].map(({ client_name: name, redirect_uris: uris }) => [name, uris])).toEqual([
      ['Portolan', [redirectUri]],
    ]);
  });

  it('or is known by what an administrator entered, which is shown to that authorization server only (REMOTE-031)', async () => {
    await flow.begin();
    const [[id, known] = ['', undefined]] = server.clients;
    const secret = known?.client_secret ?? null;
    flow.clients.all.length = 0;
    await flow.clients.keep({
      service: 'wiki',
      issuer: null,
      clientId: id,
      clientSecret: secret,
      redirectUri: null,
      expiresAt: null,
    });
    expect(await connected()).toMatchObject({ extra: { remote: { client_id: id } } });
    expect(flow.clients.all).toMatchObject([{ issuer: server.issuer, clientId: id }]);
    await flow.clients.keep({ ...flow.clients.all[0], issuer: 'https://other.example' } as never);
    expect(await flow.begin()).toMatchObject({ failure: { reason: 'not_configured' } });
  });

  it('and its tokens are renewed there, each refresh token once (REMOTE-032)', async () => {
    const record = await connected();
    server.expire();
    expect((await call(record)).status).toBe(401);
    const renewed = await flow.grants.renew(record);
    if (!renewed.ok) throw new Error(renewed.failure.message);
    expect(renewed.value.refreshToken).not.toBe(record.refreshToken);
    expect((await call(renewed.value)).status).toBe(200);
    expect(await flow.grants.renew(record)).toMatchObject({ ok: false });
  });

  it('and revoked there when the person disconnects (REMOTE-032)', async () => {
    const record = await connected();
    expect(await flow.grants.revoke(record)).toBe(true);
    expect(await flow.grants.renew(record)).toMatchObject({ ok: false });
  });

  it('and is asked for the scopes that a call lacked, besides those that it has (REMOTE-033)', async () => {
    const record = await connected();
    flow.connected = {
      ...record,
      scope: 'mcp:tools,read',
      extra: { ...record.extra, wanted_scopes: ['write', 'a"b'] },
    };
    const begun = await flow.begin();
    expect(new URL(begun.ok ? begun.value.url : '').searchParams.get('scope')).toBe('mcp:tools read write');
  });
});
