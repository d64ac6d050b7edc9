import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import {
  allowAsTicked,
  authorizePath,
  callback,
  exchange,
  registered,
  signIn,
} from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const secret = '0123456789abcdef0123456789abcdef';
const sessions = new JweSessionTokens([deriveKey(secret, 'session')]);
const write = { name: 'vault_note_write', arguments: { path: 'A.md', content: 'x', mode: 'overwrite' } };
const inCatalogue = { name: 'run_write_tool', arguments: { tool: write.name, arguments: write.arguments } };

describe('a server with OAUTH_METADATA=on', () => {
  let server: WholeServer;
  beforeAll(async () => {
    server = await openWholeServer({ OAUTH_METADATA: 'on', SECRET_KEY_BASE: secret });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The consent page's answer to Allow with what is chosen on it, for a client that asks for a scope. */
  async function allowed(scope: string) {
    const client = await registered(server);
    const asked = { client_id: client.client_id, redirect_uri: callback, scope, resource: `${server.baseUrl}/message` };
    const code = (await allowAsTicked(server, authorizePath(asked))).get('code') ?? '';
    const answer = await exchange(server, { code, client_id: client.client_id });
    return z.looseObject({ access_token: z.string(), scope: z.string().optional() }).parse(await answer.json());
  }

  const post = (token: string, params: object, where = '/message', method = 'tools/call') =>
    fetch(`${server.origin}${where}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    });

  it.each([
    ['vault:read tracker:read', 'tracker:read vault:read'],
    ['tracker:read tracker vault', 'tracker vault'],
    ['nothing known', undefined],
    ['sales_crm signing suite_crm tracker vault', undefined],
    ['tracker:read vault', 'tracker:read vault'],
  ])('starts consent with the scope that is requested: %s (META-013)', async (scope, granted) => {
    expect((await allowed(scope)).scope).toBe(granted);
  });

  it('issues tokens for itself, and accepts none of another server (META-012)', async () => {
    const { access_token: token } = await allowed('vault');
    const session = await sessions.open(token);
    expect(session).toMatchObject({ userId: 1, audience: server.baseUrl });
    const status = async (audience: string) => {
      const sealed = await sessions.seal({ userId: 1, issuedAt: Date.now(), audience });
      const headers = { authorization: `Bearer ${sealed}` };
      return (await fetch(`${server.origin}/page`, { headers })).status;
    };
    expect(await status(server.baseUrl)).toBe(200);
    expect(await status('https://other.example')).toBe(401);
  });

  it.each([
    ['a change by an app that reads', 'tracker:read vault:read', write, 'tracker:read vault'],
    ['the same by way of the catalogue', 'vault:read', inCatalogue, 'vault'],
    ['a change in a service that was left out', 'tracker', write, 'tracker vault'],
    [
      'reading a service that was left out',
      'tracker:read',
      { name: 'vault_note_read', arguments: {} },
      'tracker:read vault:read',
    ],
  ])('answers %s with 403 and the scope to request (META-014, GRANT-014)', async (_, scope, params, missing) => {
    const { access_token: token } = await allowed(scope);
    const answer = await post(token, params, '/message?mode=catalogue');
    expect(answer.status).toBe(403);
    const metadata = `${server.baseUrl}/.well-known/oauth-protected-resource/message`;
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="portolan", error="insufficient_scope", scope="${missing}", resource_metadata="${metadata}"`,
    );
    expect(await answer.json()).toMatchObject({ id: 7, error: { data: { reason: 'forbidden', scope: missing } } });
  });

  it.each([
    ['resources/read', 'vault://A.md'],
    ['resources/subscribe', 'vault://A.md'],
    ['resources/read', 'portolan://reactions/Won.md'],
  ])('answers %s of %s with the scope to request if the vault was not granted (META-016)', async (method, uri) => {
    const { access_token: token } = await allowed('tracker:read');
    const answer = await post(token, { uri }, '/message', method);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('scope="tracker:read vault:read"');
    expect(await answer.json()).toMatchObject({ id: 7, error: { data: { scope: 'tracker:read vault:read' } } });
  });

  it.each([
    ['the vault, which it may read', 'vault:read', 'vault://Missing.md'],
    ['its connections, which need no service', 'tracker:read', 'portolan://connections'],
    ['nothing that there is', 'tracker:read', 'other://A.md'],
  ])('answers an app that reads %s like any other (META-016)', async (_, scope, uri) => {
    const { access_token: token } = await allowed(scope);
    expect((await post(token, { uri }, '/message', 'resources/read')).status).toBe(200);
  });

  it('reports the scope to an app of the older transport, whose stream continues (META-014, META-016)', async () => {
    const { access_token: token } = await allowed('tracker:read');
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const stream = await fetch(`${server.origin}/sse`, { headers });
    const events = createInterface({ input: Readable.from(stream.body ?? []) })[Symbol.asyncIterator]();
    const nextData = async (): Promise<string> => {
      const { value = '', done } = await events.next();
      if (done === true) throw new Error('The stream has ended.');
      return value.startsWith('data: ') ? value.slice(6) : nextData();
    };
    const address = await nextData();
    const refused = [
      await post(token, write, address),
      await post(token, { uri: 'vault://A.md' }, address, 'resources/read'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    const asked = refused.map((answer) => answer.headers.get('www-authenticate'));
    expect(asked).toEqual([
      expect.stringContaining('error="insufficient_scope", scope="tracker:read vault"'),
      expect.stringContaining('error="insufficient_scope", scope="tracker:read vault:read"'),
    ]);
    expect((await post(token, {}, address, 'ping')).status).toBe(202);
    expect(JSON.parse(await nextData())).toMatchObject({ id: 7, result: {} });
    await events.return?.();
    await stream.body?.cancel().catch(() => undefined);
  });

  it('allows it with a token that was issued for that scope (META-014)', async () => {
    const { access_token: token } = await allowed('vault');
    const answer = await post(token, write);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: 7, result: { content: [{}] } });
  });

  it('reports the scope over REST, too (META-014)', async () => {
    const { access_token: token } = await allowed('vault:read');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const put = { method: 'PUT', headers, body: JSON.stringify({ content: 'x' }) };
    const answer = await fetch(`${server.origin}/api/vault/vault/B.md`, put);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="vault"');
    expect(await answer.json()).toMatchObject({ reason: 'forbidden' });
  });

  it('advertises that it reads client documents, and its scopes (META-006, META-013)', async () => {
    const metadata = await (await fetch(`${server.origin}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: true });
    expect(metadata).toHaveProperty('scopes_supported', expect.arrayContaining(['vault', 'vault:read']));
  });
});

describe('a server without metadata', () => {
  it('ignores scopes, binds tokens to nothing, and answers like tools (AUTH-023, META-014)', async () => {
    await using server = await openWholeServer({ SECRET_KEY_BASE: secret });
    const client = await registered(server);
    const asked = { client_id: client.client_id, redirect_uri: callback, scope: 'vault:read' };
    const browser = new PlainBrowser(server);
    const html = await (await signIn(browser, authorizePath(asked))).text();
    expect(html).not.toContain('name="scope"');
    const form = { ...hiddenFields(html), decision: 'allow', access_vault: 'read' };
    const location = (await browser.post('/authorize', form)).headers.get('location') ?? '';
    const code = new URL(location).searchParams.get('code') ?? '';
    const answer = await exchange(server, { code, client_id: client.client_id });
    const { access_token: token } = z.looseObject({ access_token: z.string() }).parse(await answer.json());
    expect(await sessions.open(token)).not.toHaveProperty('audience');
    const called = await fetch(`${server.origin}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: write }),
    });
    expect(called.status).toBe(200);
    expect(called.headers.has('www-authenticate')).toBe(false);
    expect(await called.json()).toMatchObject({
      result: { isError: true, structuredContent: { reason: 'forbidden' } },
    });
  });
});
