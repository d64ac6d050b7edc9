import { consentForm, loginForm } from '#test/kit/browser.ts';
import { equal, holds, lacks, status } from '#test/kit/checks.ts';
import { type Clause, contract, inMode, portolan, recommended } from '#test/kit/clause.ts';
import { authorizePath, callback, challengeOf } from '#test/kit/kit.ts';
import { asks, errorSentBack, isRefusedPage } from '#test/kit/redirects.ts';
import type { Answer } from '#test/kit/wire.ts';

const challenge = challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');

const wrongChallenges: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['plain', { code_challenge: challenge, code_challenge_method: 'plain' }],
  ['lower-case', { code_challenge: challenge, code_challenge_method: 's256' }],
  ['short', { code_challenge: challenge.slice(1), code_challenge_method: 'S256' }],
  ['long', { code_challenge: `${challenge}A`, code_challenge_method: 'S256' }],
  ['alphabet', { code_challenge: `${challenge.slice(1)}+`, code_challenge_method: 'S256' }],
];

const otherUris: readonly (readonly [string, string])[] = [
  ['path', `${callback}/more`],
  ['case', callback.replace('callback', 'Callback')],
  ['query', `${callback}?a=b`],
  ['host', 'https://evil.example/callback'],
  ['user-info', 'http://127.0.0.1:9@evil.example/callback'],
];

/** Clauses on refused requests to `/authorize`, and where their errors go. */
export const authorizationRequests: readonly Clause[] = [
  recommended('AUTH-008', 'an unknown client is a 400 page and never a redirect', async (kit) => {
    const client = { ...(await kit.client()), id: `client_${'A'.repeat(32)}` };
    isRefusedPage(kit, await kit.get(authorizePath(client)));
  }),
  ...otherUris.map(([variant, uri]) =>
    recommended(
      `AUTH-009/${variant}`,
      `a redirect URI that is not registered is a 400 page: another ${variant}`,
      async (kit) => {
        isRefusedPage(kit, await kit.get(authorizePath(await kit.client(), { redirect_uri: uri })));
      },
    ),
  ),
  recommended('AUTH-010', 'the port of a loopback address may be another', async (kit) => {
    const page = await kit.get(authorizePath(await kit.client(), { redirect_uri: callback.replace(':9/', ':49152/') }));
    status(page, 200);
    loginForm(page);
  }),
  recommended('AUTH-011', 'a client without redirect URIs may use loopback addresses only', async (kit) => {
    const { json } = await kit.register({});
    const id = String(new Map(Object.entries(json ?? {})).get('client_id'));
    const client = await kit.client();
    const at = (redirectUri: string): Promise<Answer> => kit.get(authorizePath({ ...client, id, redirectUri }));
    status(await at('http://127.0.0.1:1234/any'), 200);
    isRefusedPage(kit, await at('https://app.example/callback'));
  }),
  portolan(
    'AUTH-012',
    'another response_type goes back with unsupported_response_type and state',
    async (kit) => {
      const answer = await asks(kit, { response_type: 'token', state: 'mine' });
      equal(errorSentBack(answer, 'unsupported_response_type').get('state'), 'mine', 'state');
    },
    ['login'],
  ),
  contract(
    'PKCE-001/plain',
    'a challenge of the method plain gives no consent page, and no code',
    async (kit) => {
      const answer = await asks(kit, { code_challenge: challenge, code_challenge_method: 'plain' });
      holds(answer.status >= 300 || !answer.text.includes('Allow Access'), 'no consent page', answer.status);
      lacks(answer.header('location'), 'code=', 'the redirect');
    },
    ['login'],
  ),
  ...wrongChallenges.map(([variant, parameters]) =>
    portolan(
      `AUTH-013/${variant}`,
      `a challenge that is not S256’s goes back as invalid_request: ${variant}`,
      async (kit) => {
        errorSentBack(await asks(kit, parameters), 'invalid_request');
      },
      ['login'],
    ),
  ),
  portolan(
    'AUTH-014',
    'a resource that is not this server goes back as invalid_target',
    async (kit) => {
      errorSentBack(await asks(kit, { resource: 'https://other.example/message' }), 'invalid_target');
      status(await asks(kit, { resource: `${kit.baseUrl}/message` }), 200);
    },
    ['login'],
  ),
  inMode(
    { strict: 'on' },
    portolan(
      'AUTH-031',
      'a request without response_type goes back as invalid_request',
      async (kit) => {
        errorSentBack(await asks(kit, { response_type: undefined }), 'invalid_request');
      },
      ['login'],
    ),
  ),
  portolan(
    'AUTH-023',
    'an unknown scope is ignored',
    async (kit) => {
      consentForm(await asks(kit, { scope: 'everything else' }));
    },
    ['login'],
  ),
  ...(['client_id', 'redirect_uri'] as const).map((name) =>
    portolan(`AUTH-024/${name}`, `a second ${name} is refused by a page`, async (kit) => {
      isRefusedPage(kit, await kit.get(`${authorizePath(await kit.client())}&${name}=other`));
    }),
  ),
  portolan(
    'AUTH-024/state',
    'a second state goes back as invalid_request',
    async (kit) => {
      errorSentBack(
        await (await kit.signedIn()).get(`${authorizePath(await kit.client())}&state=other`),
        'invalid_request',
      );
    },
    ['login'],
  ),
  portolan(
    'AUTH-025',
    'a state of more than 4,096 characters is refused and not given back',
    async (kit) => {
      const state = errorSentBack(await asks(kit, { state: 'x'.repeat(4097) }), 'invalid_request').get('state');
      equal(state, null, 'state');
      consentForm(await asks(kit, { state: 'x'.repeat(4096) }));
    },
    ['login'],
  ),
];
