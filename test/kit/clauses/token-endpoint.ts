import { decided } from '#test/kit/browser.ts';
import { equal, holds, matches, member, status, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, inMode, portolan, recommended } from '#test/kit/clause.ts';
import { failedFor } from '#test/kit/clauses/codes.ts';
import { authorizePath, type Code, type Kit, locationOf, newVerifier } from '#test/kit/kit.ts';
import { errorSentBack } from '#test/kit/redirects.ts';
import { form } from '#test/kit/wire.ts';

/** RFC 7636, appendix B. */
const appendixB = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const appendixBChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const noCode = async (kit: Kit): Promise<Code> => ({
  code: `code_${'A'.repeat(32)}`,
  client: await kit.client(),
  verifier: null,
});

/** A code with the challenge of the RFC's example. */
async function exampleCode(kit: Kit): Promise<Code> {
  const client = await kit.client();
  const path = authorizePath(client, { code_challenge: appendixBChallenge, code_challenge_method: 'S256' });
  const code = locationOf(await kit.allow(await kit.signedIn(), path)).searchParams.get('code') ?? '';
  return { code, client, verifier: appendixB };
}

const required = ['grant_type', 'code', 'client_id'] as const;

const wrongVerifiers: readonly (readonly [string, (right: string) => string | undefined])[] = [
  ['missing', () => undefined],
  ['other', () => newVerifier()],
  ['padded', (right) => `${right}=`],
  ['case', (right) => right.toLowerCase()],
  ['empty', () => ''],
  ['challenge', () => appendixBChallenge],
];

/** Clauses on the token endpoint and PKCE. */
export const tokenEndpoint: readonly Clause[] = [
  contract(
    'TOKEN-001',
    'POST /token takes form fields',
    async (kit) => {
      status(await kit.exchange(await kit.code({ verifier: newVerifier() })), 200);
    },
    ['login'],
  ),
  contract(
    'TOKEN-002',
    'success is 200 with access_token, token_type bearer, expires_in 2592000, and no refresh token',
    async (kit) => {
      const answer = await kit.exchange(await kit.code());
      status(answer, 200);
      matches(answer.header('content-type'), /^application\/json\b/, 'the content type');
      holds(textAt(answer.json, 'access_token') !== '', 'an access token', answer.json);
      equal(member(answer.json, 'token_type'), 'bearer', 'token_type');
      equal(member(answer.json, 'expires_in'), 2_592_000, 'expires_in');
      equal(member(answer.json, 'refresh_token'), undefined, 'refresh_token');
    },
    ['login'],
  ),
  contract('TOKEN-003', 'a code that is not there answers invalid_code', async (kit) => {
    failedFor(await kit.exchange(await noCode(kit)), 'invalid_code');
  }),
  contract(
    'TOKEN-004',
    'a client other than the code’s answers invalid_client',
    async (kit) => {
      const other = await kit.newClient();
      failedFor(await kit.exchange(await kit.code(), { client_id: other.id }), 'invalid_client');
    },
    ['login'],
  ),
  portolan(
    'TOKEN-004/status',
    'it does so with 401',
    async (kit) => {
      const other = await kit.newClient();
      status(await kit.exchange(await kit.code(), { client_id: other.id }), 401);
    },
    ['login'],
  ),
  contract(
    'TOKEN-005',
    'a redirect URI other than the code’s answers invalid_redirect_uri',
    async (kit) => {
      failedFor(
        await kit.exchange(await kit.code(), { redirect_uri: 'http://127.0.0.1:9/other' }),
        'invalid_redirect_uri',
      );
    },
    ['login'],
  ),
  contract(
    'TOKEN-005/missing',
    'an exchange without a redirect URI fails',
    async (kit) => {
      const answer = await kit.exchange(await kit.code(), { redirect_uri: undefined });
      holds(answer.status >= 400 && answer.status < 500, 'a failure', `${answer.status} ${answer.text}`);
    },
    ['login'],
  ),
  ...wrongVerifiers.map(([variant, of]) =>
    contract(
      `TOKEN-006/${variant}`,
      `a verifier that is not the right one answers invalid_code_verifier: ${variant}`,
      async (kit) => {
        const code = await exampleCode(kit);
        failedFor(await kit.exchange(code, { code_verifier: of(appendixB) }), 'invalid_code_verifier');
      },
      ['login'],
    ),
  ),
  portolan(
    'TOKEN-007',
    'checks come in the order code, client, redirect URI, verifier',
    async (kit) => {
      const code = await kit.code({ verifier: newVerifier() });
      const other = await kit.newClient();
      const wrong = { client_id: other.id, redirect_uri: 'http://127.0.0.1:9/other', code_verifier: newVerifier() };
      failedFor(await kit.exchange({ ...code, code: `code_${'B'.repeat(32)}` }, wrong), 'invalid_code');
      failedFor(await kit.exchange(code, wrong), 'invalid_client');
      failedFor(await kit.exchange(code, { ...wrong, client_id: code.client.id }), 'invalid_redirect_uri');
    },
    ['login'],
  ),
  portolan(
    'TOKEN-007/age',
    'the age of a code is checked before its client',
    async (kit) => {
      const code = await kit.code();
      const other = await kit.newClient();
      failedFor(await kit.later(602, () => kit.exchange(code, { client_id: other.id })), 'expired_code');
    },
    ['login', 'clock'],
  ),
  ...(
    [
      ['invalid_code', 400, 'invalid_grant', { code: `code_${'C'.repeat(32)}` }],
      ['invalid_redirect_uri', 400, 'invalid_grant', { redirect_uri: 'http://127.0.0.1:9/other' }],
      ['invalid_code_verifier', 400, 'invalid_grant', { code_verifier: 'x'.repeat(43) }],
      ['invalid_client', 401, 'invalid_client', { client_id: `client_${'C'.repeat(32)}` }],
    ] as const
  ).map(([reason, code, error, fields]) =>
    portolan(
      `TOKEN-008/${reason}`,
      `the failure ${reason} is ${code} ${error} with a description`,
      async (kit) => {
        const answer = await kit.exchange(await kit.code({ verifier: newVerifier() }), fields);
        status(answer, code);
        equal(member(answer.json, 'error'), error, 'error');
        equal(member(answer.json, 'reason'), reason, 'reason');
        holds(textAt(answer.json, 'error_description') !== '', 'a description', answer.json);
      },
      ['login'],
    ),
  ),
  ...required.map((name) =>
    portolan(`TOKEN-009/no-${name}`, `a request without ${name} is invalid_request`, async (kit) => {
      const answer = await kit.exchange(await noCode(kit), { [name]: undefined });
      status(answer, [400, 401]);
      matches(
        textAt(answer.json, 'error'),
        name === 'client_id' ? /^invalid_(request|client)$/ : /^invalid_request$/,
        'error',
      );
    }),
  ),
  portolan(
    'TOKEN-009/twice',
    'a parameter that comes twice is invalid_request',
    async (kit) => {
      const { code, client } = await kit.code();
      const fields: readonly (readonly [string, string])[] = [
        ['grant_type', 'authorization_code'],
        ['code', code],
        ['code', code],
        ['client_id', client.id],
        ['redirect_uri', client.redirectUri],
      ];
      const answer = await kit.tokenRequest(form(fields));
      status(answer, 400);
      equal(member(answer.json, 'error'), 'invalid_request', 'error');
    },
    ['login'],
  ),
  contract(
    'TOKEN-001/grant',
    'a code is exchanged under the grant type authorization_code only',
    async (kit) => {
      const code = await kit.code();
      for (const grant_type of ['refresh_token', 'client_credentials', 'password']) {
        const answer = await kit.exchange(code, { grant_type });
        holds(
          answer.status >= 400 && answer.status < 500,
          `no token for ${grant_type}`,
          `${answer.status} ${answer.text}`,
        );
      }
    },
    ['login'],
  ),
  portolan('TOKEN-009/grant', 'another grant type is unsupported_grant_type', async (kit) => {
    const answer = await kit.exchange(await noCode(kit), { grant_type: 'refresh_token' });
    status(answer, 400);
    equal(member(answer.json, 'error'), 'unsupported_grant_type', 'error');
  }),
  portolan(
    'TOKEN-010/body',
    'a right client secret in the body is taken, a wrong one is invalid_client',
    async (kit) => {
      const code = await kit.code();
      failedFor(await kit.exchange(code, { client_secret: 'wrong' }), 'invalid_client');
      status(await kit.exchange(code, { client_secret: code.client.secret }), 200);
    },
    ['login'],
  ),
  portolan(
    'TOKEN-010/basic',
    'a client secret by Basic is taken, a wrong one is invalid_client',
    async (kit) => {
      const { code, client, verifier } = await kit.code();
      const proof = verifier === null ? {} : { code_verifier: verifier };
      const fields = form({ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...proof });
      const basic = (secret: string): Readonly<Record<string, string>> => ({
        authorization: `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`,
      });
      const wrong = await kit.tokenRequest(fields, basic('wrong'));
      status(wrong, 401);
      equal(member(wrong.json, 'error'), 'invalid_client', 'error');
      status(await kit.tokenRequest(fields, basic(client.secret)), 200);
    },
    ['login'],
  ),
  recommended(
    'TOKEN-011',
    'success and failure are Cache-Control: no-store',
    async (kit) => {
      const code = await kit.code();
      for (const answer of [await kit.exchange(code), await kit.exchange(code)]) {
        matches(answer.header('cache-control'), /no-store/, 'cache-control');
      }
    },
    ['login'],
  ),
  portolan(
    'TOKEN-015',
    'the answer has a scope when less than everything was granted, and only then',
    async (kit) => {
      const browser = await kit.signedIn();
      const client = await kit.client();
      const fields = decided(await browser.get(authorizePath(client)), 'allow');
      const less = fields.map(([name, value]) => [name, /^access_(?!vault$)/.test(name) ? 'off' : value] as const);
      const code = locationOf(await browser.post('/authorize', less)).searchParams.get('code') ?? '';
      const limited = await kit.exchange({ code, client, verifier: null });
      holds(textAt(limited.json, 'scope') !== '', 'a scope', limited.json);
      equal(member((await kit.exchange(await kit.code())).json, 'scope'), undefined, 'the scope of everything:');
    },
    ['login', 'service:vault'],
  ),
  portolan(
    'TOKEN-016',
    'a client that is not known answers invalid_client whatever its code',
    async (kit) => {
      const client_id = `client_${'D'.repeat(32)}`;
      for (const code of [await noCode(kit), await kit.code()])
        failedFor(await kit.exchange(code, { client_id }), 'invalid_client');
    },
    ['login'],
  ),
  contract(
    'PKCE-001',
    'the example of RFC 7636, appendix B, is exchanged',
    async (kit) => {
      status(await kit.exchange(await exampleCode(kit)), 200);
    },
    ['login'],
  ),
  contract(
    'PKCE-002',
    'a verifier is required when a challenge was sent',
    async (kit) => {
      const code = await kit.code({ verifier: newVerifier() });
      failedFor(await kit.exchange(code, { code_verifier: undefined }), 'invalid_code_verifier');
    },
    ['login'],
  ),
  inMode(
    { strict: 'off' },
    contract(
      'PKCE-003',
      'without a challenge no verifier is needed',
      async (kit) => {
        status(await kit.exchange(await kit.code()), 200);
      },
      ['login'],
    ),
  ),
  inMode(
    { strict: 'on' },
    portolan(
      'TOKEN-012/pkce',
      'an authorization request without a challenge gives no code',
      async (kit) => {
        const { verifier: _, ...client } = await kit.client();
        const answer = await (await kit.signedIn()).get(authorizePath(client));
        errorSentBack(answer, 'invalid_request');
      },
      ['login'],
    ),
  ),
  inMode(
    { strict: 'on' },
    portolan(
      'TOKEN-012/secret',
      'an exchange without the client secret is invalid_client',
      async (kit) => {
        failedFor(await kit.exchange(await kit.code(), { client_secret: undefined }), 'invalid_client');
      },
      ['login'],
    ),
  ),
];
