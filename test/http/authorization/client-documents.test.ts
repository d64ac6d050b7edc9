import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { documentBounds } from '#adapters/client-documents/fetched-client-documents.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpError } from '#infrastructure/http/http-messages.ts';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { allow, authorizePath, callback, exchange, signIn, vector } from '#test/support/authorization/auth-flow.ts';
import { documentHost, type Hosted } from '#test/support/authorization/document-host.ts';
import { Host } from '#test/support/authorization/mcp-hosts.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';

const id = 'https://app.example/client.json';
const good = { client_id: id, client_name: 'Sextant', redirect_uris: [callback, 'https://app.example/cb'] };
const challenge = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
const path = authorizePath({ client_id: id, redirect_uri: callback, state: 's', response_type: 'code', ...challenge });
const right = { client_id: id, code_verifier: vector.verifier };

const hosted = new Map<string, Hosted | HttpError>();
const time = { now: 1_800_000_000_000 };
let host: ReturnType<typeof documentHost>;
let app: AuthApp;
let strict: AuthApp;
let off: AuthApp;

const find = { find: (address: string) => host.documents.find(address) };
beforeAll(async () => {
  const on = { oauthMetadata: true, documents: find };
  [app, strict, off] = await Promise.all([
    openAuthApp({ ...on, rateLimits: true }),
    openAuthApp({ ...on, oauthStrict: true }),
    openAuthApp({ documents: find }),
  ]);
});
beforeEach(() => {
  hosted.clear();
  hosted.set(id, { document: good });
  host = documentHost(hosted, time);
});
afterAll(async () => {
  await Promise.all([app[Symbol.asyncDispose](), strict[Symbol.asyncDispose](), off[Symbol.asyncDispose]()]);
});

async function codeAt(server: AuthApp): Promise<string> {
  const location = (await allow(server, path)).headers.get('location') ?? '';
  return new URL(location).searchParams.get('code') ?? '';
}

const pageOf = async (address: string) => {
  const answer = await fetch(
    `${app.origin}${authorizePath({ client_id: address, redirect_uri: callback, ...challenge })}`,
  );
  return { status: answer.status, text: await answer.text() };
};

describe('a client that is identified by a document', () => {
  it('gets a token with PKCE and without registering, and a grant like any other (META-006, META-011)', async () => {
    const answer = await exchange(app, { ...right, code: await codeAt(app) });
    expect(answer.status).toBe(200);
    const { access_token: token } = z.object({ access_token: z.string() }).parse(await answer.json());
    const open = () => fetch(`${app.origin}/page`, { headers: { authorization: `Bearer ${token}` } });
    expect((await open()).status).toBe(200);
    const [grant] = await app.ports.grants.list(1);
    expect(grant).toMatchObject({ clientId: id, clientName: 'Sextant' });
    await app.ports.grants.remove(1, grant?.id ?? '');
    expect((await open()).status).toBe(401);
    expect(host.requests).toHaveLength(1);
  });

  it('is how the SDK’s client identifies itself when it has an address (META-006)', async () => {
    const host = new (class extends Host {
      readonly clientMetadataUrl = id;
    })();
    const serverUrl = `${app.baseUrl}/message`;
    expect(await auth(host, { serverUrl })).toBe('REDIRECT');
    expect(host.sentTo[0]?.searchParams.get('client_id')).toBe(id);
    const authorizationCode = (await host.allowed(app)).get('code') ?? '';
    expect(await auth(host, { serverUrl, authorizationCode })).toBe('AUTHORIZED');
    const headers = { authorization: `Bearer ${host.tokens()?.access_token}` };
    expect((await fetch(`${app.origin}/page`, { headers })).status).toBe(200);
  });

  it('is named on the consent page by the host that vouches for it (META-010)', async () => {
    const html = await (await signIn(new PlainBrowser(app), path)).text();
    expect(html).toContain('Sextant');
    expect(html).toContain('<strong class="host">app.example</strong>');
    expect(html).toContain('Anyone can give an app that name.');
    const web = authorizePath({ client_id: id, redirect_uri: 'https://app.example/cb', ...challenge });
    expect(await (await signIn(new PlainBrowser(app), web)).text()).toContain('Only app.example can use that name');
  });

  it.each([false, true])(
    'needs a challenge and has no secret, in strict mode or not: %s (META-011)',
    async (isStrict) => {
      const server = isStrict ? strict : app;
      const bare = authorizePath({ client_id: id, redirect_uri: callback, state: 's' });
      const sent = await fetch(`${server.origin}${bare}`, { redirect: 'manual' });
      expect(sent.headers.get('location')).toContain('error=invalid_request');
      const code = await codeAt(server);
      expect((await exchange(server, { ...right, code, client_secret: 'guessed' })).status).toBe(401);
      expect((await exchange(server, { client_id: id, code })).status).toBe(400);
      expect((await exchange(server, { ...right, code })).status).toBe(200);
      expect(await (await exchange(server, { ...right, code })).json()).toMatchObject({ error: 'invalid_grant' });
    },
  );

  it('is redirected only to addresses in its document (AUTH-009)', async () => {
    const elsewhere = authorizePath({ client_id: id, redirect_uri: 'https://other.example/cb', ...challenge });
    expect((await fetch(`${app.origin}${elsewhere}`, { redirect: 'manual' })).status).toBe(400);
  });

  it('is unknown without metadata, and its document is not read (AUTH-008)', async () => {
    expect((await fetch(`${off.origin}${path}`)).status).toBe(400);
    expect(await (await exchange(off, { ...right, code: 'code_1' })).json()).toMatchObject({ error: 'invalid_client' });
    expect(host.requests).toEqual([]);
  });

  it('does not have its document read by an exchange without a user’s consent', async () => {
    await exchange(app, { ...right, code: 'code_1' });
    expect(host.requests).toEqual([]);
  });
});

describe('reading a client document', () => {
  const broken: readonly (readonly [string, Hosted | HttpError, string])[] = [
    ['a redirect', { status: 302, headers: { location: 'https://b.example/' }, document: '' }, 'without a redirect'],
    ['an error', { status: 503, document: '' }, 'answers 503'],
    ['a document that is not found', { status: 404, document: good }, 'answers 404 instead of 200'],
    ['a page', { headers: { 'content-type': 'text/html' }, document: '<p>' }, 'application/json'],
    ['no JSON', { document: '{' }, 'it must be JSON'],
    ['another’s document', { document: { ...good, client_id: 'https://b.example/' } }, 'client_id'],
    [
      'no answer',
      { kind: 'error', reason: 'timeout', message: 'There was no whole answer.', sent: 'unknown' },
      'no whole answer',
    ],
  ];
  it.each(broken)(
    'fails on %s with a page that says so, and is retried (META-007, META-008, META-009)',
    async (_, answer, why) => {
      hosted.set(id, answer);
      const { status, text } = await pageOf(id);
      expect(status).toBe(400);
      expect(text).toContain(why);
      hosted.set(id, { document: good });
      expect((await pageOf(id)).status).toBe(200);
    },
  );

  it('is limited in time and size, and happens once for many callers (META-008)', async () => {
    await Promise.all([find.find(id), find.find(id), find.find(id)]);
    expect(host.requests).toMatchObject([{ method: 'GET', url: id, timeoutMs: 5_000, maxBytes: 10_240 }]);
  });

  it('happens for at most 8 documents at once (META-008)', async () => {
    const many = Array.from({ length: documentBounds.atOnce + 1 }, (_, n) => find.find(`https://app.example/${n}`));
    const last = (await Promise.all(many)).at(-1);
    expect(last).toMatchObject({ failure: { message: expect.stringContaining('too many') } });
    expect(host.requests).toHaveLength(documentBounds.atOnce);
    expect((await find.find(id)).ok).toBe(true);
  });

  it('is repeated once the cached document has expired (META-009)', async () => {
    hosted.set(id, { headers: { 'cache-control': 'max-age=600' }, document: good });
    await find.find(id);
    time.now += 599_999;
    await find.find(id);
    expect(host.requests).toHaveLength(1);
    time.now += 1;
    await find.find(id);
    expect(host.requests).toHaveLength(2);
  });

  it.each(['https://127.0.0.1/a', 'https://[::1]/a', 'https://169.254.169.254/a', 'https://10.1.2.3/a'])(
    'is refused at an address of this machine or network: %s (META-008)',
    async (url) => {
      const http = new HttpClient().within('public');
      const answer = await http.send({ method: 'GET', url, headers: {}, timeoutMs: 5_000, maxBytes: 10_240 });
      expect(answer).toMatchObject({ kind: 'error', reason: 'address' });
      http.close();
    },
  );

  it('is allowed to one address 60 times a minute', async () => {
    const limited = await openAuthApp({ oauthMetadata: true, documents: find, rateLimits: true });
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await fetch(`${limited.origin}${path}`)).status);
    await limited[Symbol.asyncDispose]();
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]));
    expect(statuses[60]).toBe(429);
  });
});
