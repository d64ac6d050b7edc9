import { equal, holds, matches, member, status, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, recommended } from '#test/kit/clause.ts';
import { authorizePath, callback } from '#test/kit/kit.ts';
import { isRefused } from '#test/kit/redirects.ts';

const refusedUris: readonly (readonly [string, string])[] = [
  ['relative', '/callback'],
  ['fragment', 'https://app.example/callback#part'],
  ['userinfo', 'https://ada:secret@app.example/callback'],
  ['javascript', 'javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['file', 'file:///etc/passwd'],
  ['vbscript', 'vbscript:x'],
  ['blob', 'blob:https://app.example/1'],
  ['plain-http', 'http://app.example/callback'],
];

const takenUris: readonly (readonly [string, string])[] = [
  ['https', 'https://app.example/callback?from=kit'],
  ['loopback', 'http://127.0.0.1:4567/callback'],
  ['loopback-v6', 'http://[::1]:4567/callback'],
  ['private-use', 'com.example.app:/callback'],
];

const wrongMetadata: readonly (readonly [string, unknown])[] = [
  ['name', { client_name: 7 }],
  ['uris', { redirect_uris: 'https://app.example/callback' }],
  ['uri', { redirect_uris: [7] }],
];

const noObjects: readonly (readonly [string, string])[] = [
  ['list', '[]'],
  ['text', '"a client"'],
  ['no-json', '{"client_name":'],
];

/** Clauses on client registration. */
export const registration: readonly Clause[] = [
  contract('REG-001', 'POST /register answers 201 with the five members', async (kit) => {
    const answer = await kit.register({ client_name: 'A kit', redirect_uris: [callback] });
    status(answer, 201);
    matches(answer.header('content-type'), /^application\/json\b/, 'the content type');
    equal(textAt(answer.json, 'client_name'), 'A kit', 'client_name');
    equal(member(answer.json, 'redirect_uris'), [callback], 'redirect_uris');
    for (const name of ['client_id', 'client_secret', 'token_endpoint_auth_method']) textAt(answer.json, name);
  }),
  contract('REG-001/uris', 'each of several redirect URIs that were registered may be used', async (kit) => {
    const uris = ['https://one.kit.example/callback', 'https://two.kit.example/callback?from=kit'];
    const { json } = await kit.register({ client_name: 'Kit of two', redirect_uris: uris });
    equal(member(json, 'redirect_uris'), uris, 'redirect_uris');
    const client = { ...(await kit.client()), id: textAt(json, 'client_id') };
    for (const redirectUri of uris) status(await kit.get(authorizePath({ ...client, redirectUri })), 200, redirectUri);
  }),
  contract('REG-002', 'client_id is client_ and the base64url of 24 bytes, another each time', async (kit) => {
    const ids = await Promise.all([1, 2, 3].map(async () => textAt((await kit.register({})).json, 'client_id')));
    for (const id of ids) matches(id, /^client_[A-Za-z0-9_-]{32}$/, 'client_id');
    equal(new Set(ids).size, ids.length, 'the number of different client ids');
  }),
  contract('REG-003', 'client_secret has room for 256 bits, and is another each time', async (kit) => {
    const secrets = await Promise.all([1, 2].map(async () => textAt((await kit.register({})).json, 'client_secret')));
    for (const secret of secrets) holds(secret.length >= 43, 'a secret of 43 characters or more', `${secret.length}`);
    equal(new Set(secrets).size, secrets.length, 'the number of different secrets');
  }),
  contract('REG-004', 'client_name is MCP Client when none is given', async (kit) => {
    const answer = await kit.register({ redirect_uris: [callback] });
    equal(member(answer.json, 'client_name'), 'MCP Client', 'client_name');
  }),
  contract('REG-005', 'redirect_uris is an empty list when none is given', async (kit) => {
    const answer = await kit.register({ client_name: 'A kit' });
    equal(member(answer.json, 'redirect_uris'), [], 'redirect_uris');
  }),
  contract('REG-006', 'token_endpoint_auth_method is client_secret_post whatever is asked for', async (kit) => {
    const answer = await kit.register({ token_endpoint_auth_method: 'none' });
    equal(member(answer.json, 'token_endpoint_auth_method'), 'client_secret_post', 'token_endpoint_auth_method');
  }),
  contract('REG-007', 'created_at is never in the answer', async (kit) => {
    const answer = await kit.register({ created_at: 1 });
    status(answer, 201);
    equal(member(answer.json, 'created_at'), undefined, 'created_at');
  }),
  portolan('REG-008', 'members that are not known are ignored', async (kit) => {
    const answer = await kit.register({ scope: 'everything', software_id: 'x', unheard_of: { a: 1 } });
    status(answer, 201);
    equal(member(answer.json, 'unheard_of'), undefined, 'unheard_of');
  }),
  portolan('REG-009', 'grant_types and response_types are in the answer, and no member is null', async (kit) => {
    const { json } = await kit.register({});
    equal(member(json, 'grant_types'), ['authorization_code'], 'grant_types');
    equal(member(json, 'response_types'), ['code'], 'response_types');
    holds(
      typeof json === 'object' && json !== null && !Object.values(json).includes(null),
      'no member to be null',
      json,
    );
  }),
  ...refusedUris.map(([variant, uri]) =>
    recommended(`REG-010/${variant}`, `the redirect URI ${uri} is refused as invalid_redirect_uri`, async (kit) => {
      const answer = await kit.register({ redirect_uris: [uri] });
      isRefused(kit, answer, 400);
      if (kit.level !== 'portolan') return;
      equal(member(answer.json, 'error'), 'invalid_redirect_uri', 'error');
      textAt(answer.json, 'error_description');
    }),
  ),
  ...takenUris.map(([variant, uri]) =>
    portolan(`REG-011/${variant}`, `the redirect URI ${uri} is taken`, async (kit) => {
      const answer = await kit.register({ redirect_uris: [uri] });
      status(answer, 201);
      equal(member(answer.json, 'redirect_uris'), [uri], 'redirect_uris');
    }),
  ),
  portolan('REG-012', 'a private-use scheme without a dot that is no known app’s is refused', async (kit) => {
    const answer = await kit.register({ redirect_uris: ['kitapp:/callback'] });
    status(answer, 400);
    equal(member(answer.json, 'error'), 'invalid_redirect_uri', 'error');
  }),
  ...wrongMetadata.map(([variant, metadata]) =>
    portolan(`REG-013/${variant}`, 'metadata of the wrong kind is refused with a description', async (kit) => {
      const answer = await kit.register(metadata);
      status(answer, 400);
      matches(textAt(answer.json, 'error'), /^invalid_(client_metadata|redirect_uri)$/, 'error');
      holds(textAt(answer.json, 'error_description') !== '', 'a description', answer.json);
    }),
  ),
  ...noObjects.map(([variant, body]) =>
    portolan(`REG-016/${variant}`, 'a body that is no JSON object is invalid_client_metadata', async (kit) => {
      const answer = await kit.register(body);
      status(answer, 400);
      equal(member(answer.json, 'error'), 'invalid_client_metadata', 'error');
    }),
  ),
];
