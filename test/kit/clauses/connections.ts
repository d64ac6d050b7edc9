import { contains, equal, eventually, holds, lacks, matches, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived } from '#test/kit/clauses/operations/rows.ts';
import { connectByOAuth, disconnect, save, withKey } from '#test/kit/connections.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import { type CloudKey, cloudKeys } from '#test/kit/emulators/emulators.ts';
import { challengeOf, type Kit } from '#test/kit/kit.ts';
import { send } from '#test/kit/wire.ts';

/** What each service's OAuth wants, copied from the interface: the authorization request, the exchange, the renewal. */
const flows: Readonly<
  Record<
    CloudKey,
    Readonly<{
      id: string;
      fieldsId: string;
      asks: readonly string[];
      constants: Readonly<Record<string, RegExp>>;
      exchange: readonly string[];
      refresh: readonly string[];
    }>
  >
> = {
  sales_crm: {
    id: 'SALES-016',
    fieldsId: 'SALES-017',
    asks: ['client_id', 'redirect_uri', 'scope'],
    constants: {},
    exchange: ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret'],
    refresh: ['grant_type', 'refresh_token', 'client_id', 'client_secret'],
  },
  signing: {
    id: 'SIGN-008',
    fieldsId: 'SIGN-009',
    asks: ['client_id', 'redirect_uri', 'scope', 'response_type'],
    constants: { response_type: /^code$/, scope: /^read( write|\+write)?$/ },
    exchange: ['grant_type', 'client_id', 'client_secret', 'code', 'scope'],
    refresh: ['grant_type', 'client_id', 'client_secret', 'refresh_token'],
  },
  suite_crm: {
    id: 'SUITE-008',
    fieldsId: 'SUITE-010',
    asks: ['response_type', 'client_id', 'scope', 'redirect_uri', 'access_type'],
    constants: { response_type: /^code$/, access_type: /^offline$/ },
    exchange: ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri'],
    refresh: ['grant_type', 'client_id', 'client_secret', 'refresh_token'],
  },
  tracker: {
    id: 'TRACK-007',
    fieldsId: 'TRACK-008',
    asks: ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'],
    constants: { response_type: /^code$/ },
    exchange: ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri'],
    refresh: ['grant_type', 'client_id', 'client_secret', 'refresh_token'],
  },
};

/** A call of each service that reads one thing. */
export const reading: Readonly<Record<CloudKey, string>> = {
  sales_crm: '/api/sales_crm/deals/41',
  signing: '/api/signing/templates/tpl1',
  suite_crm: '/api/suite_crm/Leads/91',
  tracker: '/api/tracker/viewer',
};

/** The requests of a whole connection by OAuth: the authorization and the exchange. */
async function connecting(
  kit: Kit,
  service: CloudKey,
): Promise<Readonly<{ asked: Received; exchanged: URLSearchParams; type: string }>> {
  const { received } = await kit.arriving(service, async () =>
    equal(await connectByOAuth(kit, service), null, 'a fault in connecting:'),
  );
  const asked = arrived(received, 'GET /oauth/authorize');
  const { text, headers } = arrived(received, 'POST /oauth/token');
  return { asked, exchanged: new URLSearchParams(text), type: headers['content-type'] ?? '' };
}

/** The form fields of the renewal that a refused token leads to. */
async function renewing(kit: Kit, service: CloudKey): Promise<URLSearchParams> {
  kit.emulators.cloud[service].oauth.expire();
  const { value, received } = await kit.arriving(service, () => kit.api('GET', reading[service]));
  status(value, 200);
  return new URLSearchParams(arrived(received, 'POST /oauth/token').text);
}

function hasFields(fields: URLSearchParams, names: readonly string[], what: string): void {
  for (const name of names) holds((fields.get(name) ?? '') !== '', `${what} to have ${name}`, [...fields.keys()]);
}

const stateOf = async (kit: Kit, service: string): Promise<unknown> => {
  const answer = await kit.api('GET', '/api/connections');
  status(answer, 200);
  const found = [answer.json]
    .flat()
    .concat(member(answer.json, 'data') ?? [], member(answer.json, 'connections') ?? [])
    .flat();
  return found.find((entry) => member(entry, 'service') === service);
};

const needsOf = (service: CloudKey) => ['login', 'rest', `service:${service}`] as const;

export const connections: readonly Clause[] = [
  ...cloudKeys.flatMap((service) => {
    const { id, fieldsId, asks, constants, exchange, refresh } = flows[service];
    return [
      contract(
        id,
        `authorization at ${service} is asked for with ${asks.join(', ')}`,
        async (kit) => {
          const { asked } = await connecting(kit, service);
          hasFields(asked.query, asks, 'the authorization request');
          for (const [name, pattern] of Object.entries(constants)) matches(asked.query.get(name), pattern, name);
        },
        needsOf(service),
      ),
      contract(
        `${fieldsId}/exchange`,
        `the exchange at ${service} sends ${exchange.join(', ')} as form fields`,
        async (kit) => {
          const { asked, exchanged, type } = await connecting(kit, service);
          matches(type, /^application\/x-www-form-urlencoded/, 'the content type');
          hasFields(exchanged, exchange, 'the exchange');
          equal(exchanged.get('grant_type'), 'authorization_code', 'grant_type');
          equal(exchanged.get('code'), 'the-code', 'code');
          equal(exchanged.get('client_id'), asked.query.get('client_id'), 'client_id');
          if (exchange.includes('redirect_uri'))
            equal(exchanged.get('redirect_uri'), asked.query.get('redirect_uri'), 'redirect_uri');
        },
        needsOf(service),
      ),
      contract(
        `${fieldsId}/refresh`,
        `the renewal at ${service} sends ${refresh.join(', ')} as form fields`,
        async (kit) => {
          const { refreshToken } = kit.emulators.cloud[service].oauth;
          const fields = await renewing(kit, service);
          hasFields(fields, refresh, 'the renewal');
          equal(fields.get('grant_type'), 'refresh_token', 'grant_type');
          equal(fields.get('refresh_token'), refreshToken, 'refresh_token');
        },
        needsOf(service),
      ),
      contract(
        `OP-005/${service}`,
        'after a 401 the token is renewed once, and the call sent once more with the new one',
        async (kit) => {
          const { oauth, emulator } = kit.emulators.cloud[service];
          oauth.expire();
          const { value, received } = await kit.arriving(service, () => kit.api('GET', reading[service]));
          status(value, 200);
          const renewals = received.filter(({ path }) => path === '/oauth/token');
          const calls = received.filter(({ path }) => path !== '/oauth/token');
          equal([renewals.length, calls.length], [1, 2], 'the numbers of renewals and calls');
          contains(calls[1]?.headers['authorization'] ?? '', oauth.accessToken, `the second call at ${emulator.url}`);
        },
        needsOf(service),
      ),
      portolan(
        `RENEW-002/${service}`,
        'eight calls at once with a token that ended renew it once',
        async (kit) => {
          kit.emulators.cloud[service].oauth.expire();
          const { value, received } = await kit.arriving(service, () =>
            Promise.all(Array.from({ length: 8 }, () => kit.api('GET', reading[service]))),
          );
          equal(
            value.map((answer) => answer.status),
            Array.from({ length: 8 }, () => 200),
            'the statuses',
          );
          equal(received.filter(({ path }) => path === '/oauth/token').length, 1, 'the number of renewals');
        },
        needsOf(service),
      ),
    ];
  }),
  contract(
    'RENEW-003',
    'the refresh token of a renewal is the one that the next renewal brings',
    async (kit) => {
      await renewing(kit, 'sales_crm');
      const { refreshToken } = kit.emulators.cloud.sales_crm.oauth;
      equal((await renewing(kit, 'sales_crm')).get('refresh_token'), refreshToken, 'refresh_token');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'RENEW-006',
    'an answer without a new refresh token keeps the old one',
    async (kit) => {
      const { oauth } = kit.emulators.cloud.suite_crm;
      const { refreshToken } = oauth;
      oauth.givesRefreshToken = false;
      try {
        await renewing(kit, 'suite_crm');
        equal((await renewing(kit, 'suite_crm')).get('refresh_token'), refreshToken, 'refresh_token');
      } finally {
        oauth.givesRefreshToken = true;
        await connectByOAuth(kit, 'suite_crm');
      }
    },
    needsOf('suite_crm'),
  ),
  portolan(
    'RENEW-004',
    'a refused renewal makes the connection reconnect, and is not tried again',
    async (kit) => {
      const { oauth } = kit.emulators.cloud.tracker;
      oauth.refusals.push({ status: 400, body: { error: 'invalid_grant' } });
      oauth.expire();
      try {
        holds((await kit.api('GET', reading.tracker)).status >= 400, 'a failure', 200);
        equal(member(await stateOf(kit, 'tracker'), 'state'), 'reconnect', 'state');
        const { received } = await kit.arriving('tracker', () => kit.api('GET', reading.tracker));
        equal(received.filter(({ path }) => path === '/oauth/token').length, 0, 'the number of renewals');
      } finally {
        oauth.refusals.length = 0;
        await connectByOAuth(kit, 'tracker');
      }
    },
    needsOf('tracker'),
  ),
  portolan(
    'RENEW-005',
    'a renewal that failed otherwise leaves the connection usable',
    async (kit) => {
      const { oauth } = kit.emulators.cloud.tracker;
      oauth.refusals.push(...Array.from({ length: 6 }, () => ({ status: 503, body: {} })));
      oauth.expire();
      try {
        holds((await kit.api('GET', reading.tracker)).status >= 400, 'a failure', 200);
        oauth.refusals.length = 0;
        await eventually('a call that succeeds', async () =>
          (await kit.api('GET', reading.tracker)).status === 200 ? true : null,
        );
      } finally {
        oauth.refusals.length = 0;
        await connectByOAuth(kit, 'tracker');
      }
    },
    needsOf('tracker'),
  ),
  portolan(
    'TRACK-009',
    'PKCE goes with the authorization of the tracker',
    async (kit) => {
      const { asked, exchanged } = await connecting(kit, 'tracker');
      equal(asked.query.get('code_challenge_method'), 'S256', 'code_challenge_method');
      equal(asked.query.get('code_challenge'), challengeOf(exchanged.get('code_verifier') ?? ''), 'code_challenge');
    },
    needsOf('tracker'),
  ),
  contract(
    'CONN-004',
    'GET /connect/{service} leads to the provider with a state of its own each time',
    async (kit) => {
      const browser = await kit.signedIn();
      const ask = async () => new URL((await browser.get('/connect/sales_crm')).header('location'));
      const [one, two] = [await ask(), await ask()];
      matches(one.searchParams.get('state'), /.{16,}/, 'state');
      holds(one.searchParams.get('state') !== two.searchParams.get('state'), 'two different states', one.href);
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'CONN-005/foreign',
    'a callback that was not begun in this browser is refused',
    async (kit) => {
      const { emulator } = kit.emulators.cloud.sales_crm;
      const away = (await (await kit.signedIn()).get('/connect/sales_crm')).header('location');
      const back = new URL((await send(emulator.url, { path: away.slice(emulator.url.length) })).header('location'));
      const other = kit.browser();
      other.cookies.set('user', (await kit.signedIn()).cookies.get('user') ?? '');
      const { value, received } = await kit.arriving('sales_crm', () => other.get(`${back.pathname}${back.search}`));
      holds(value.status >= 400, 'a refusal', `${value.status} ${value.header('location')}`);
      equal(received.length, 0, 'the number of requests');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'CONN-005/twice',
    'a callback that comes a second time is refused',
    async (kit) => {
      const { emulator } = kit.emulators.cloud.sales_crm;
      const browser = await kit.signedIn();
      const away = (await browser.get('/connect/sales_crm')).header('location');
      const back = new URL((await send(emulator.url, { path: away.slice(emulator.url.length) })).header('location'));
      const path = `${back.pathname}${back.search}`;
      status(await browser.get(path), [302, 303]);
      const { value, received } = await kit.arriving('sales_crm', () => browser.get(path));
      holds(value.status >= 400, 'a refusal', `${value.status} ${value.header('location')}`);
      equal(received.length, 0, 'the number of requests');
    },
    needsOf('sales_crm'),
  ),
  contract(
    'CONN-001',
    'a user has one connection with a service, however often it is connected',
    async (kit) => {
      await connectByOAuth(kit, 'sales_crm');
      const { text } = await kit.api('GET', '/api/connections');
      equal(text.match(/"service":\s*"sales_crm"/g)?.length, 1, 'the number of connections with the sales CRM');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'CONN-002',
    'POST /save answers service, state and checked',
    async (kit) => {
      await withKey(kit, 'signing', async () => {
        const key = kit.emulators.cloud.signing.key;
        const answer = await save(kit, { service: 'signing', auth_method: 'api_key', access_token: key });
        status(answer, 200);
        equal(
          [member(answer.json, 'service'), member(answer.json, 'state')],
          ['signing', 'connected'],
          'service and state',
        );
        equal(member(answer.json, 'checked'), true, 'checked');
      });
    },
    needsOf('signing'),
  ),
  portolan(
    'CONN-003',
    'credentials that the provider refuses are not kept',
    async (kit) => {
      const before = await stateOf(kit, 'signing');
      const answer = await save(kit, { service: 'signing', auth_method: 'api_key', access_token: 'a wrong key' });
      holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      equal(member(await stateOf(kit, 'signing'), 'auth_method'), member(before, 'auth_method'), 'auth_method');
    },
    needsOf('signing'),
  ),
  portolan(
    'CONN-006',
    'POST /disconnect forgets the tokens: the next call is not_connected, and nothing is sent',
    async (kit) => {
      try {
        status(await disconnect(kit, 'signing'), [200, 204, 303]);
        const { value, received } = await kit.arriving('signing', () => kit.api('GET', reading.signing));
        equal(member(value.json, 'reason'), 'not_connected', 'reason');
        equal(received.length, 0, 'the number of requests');
      } finally {
        await connectByOAuth(kit, 'signing');
      }
    },
    needsOf('signing'),
  ),
  portolan(
    'CONN-007',
    'GET /api/connections lists service, auth_method, scope, state, expires_at, since and reason',
    async (kit) => {
      const found = await stateOf(kit, 'sales_crm');
      holds(typeof found === 'object' && found !== null, 'the connection with the sales CRM', found);
      for (const name of ['auth_method', 'scope', 'state', 'expires_at', 'since', 'reason'])
        holds(name in found, `a member ${name}`, found);
      equal([member(found, 'auth_method'), member(found, 'state')], ['oauth', 'connected'], 'auth_method and state');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'CONN-008',
    'no page and no answer shows a stored token',
    async (kit) => {
      const { accessToken, refreshToken } = kit.emulators.cloud.sales_crm.oauth;
      const browser = await kit.signedIn();
      const pages = [
        await browser.get('/page'),
        await browser.get('/floki/index'),
        await kit.api('GET', '/api/connections'),
      ];
      for (const { text } of pages)
        for (const secret of [accessToken, refreshToken, kit.emulators.vault.key]) lacks(text, secret, 'the answer');
    },
    needsOf('sales_crm'),
  ),
  ...(
    [
      ['userinfo', 'http://ada:secret@127.0.0.1:1'],
      ['query', 'http://127.0.0.1:1/?a=b'],
      ['fragment', 'http://127.0.0.1:1/#a'],
    ] as const
  ).map(([variant, base_url]) =>
    portolan(
      `CONN-011/${variant}`,
      `an address of a vault with ${variant} is refused`,
      async (kit) => {
        const answer = await save(kit, {
          service: 'vault',
          auth_method: 'api_key',
          access_token: 'x',
          extra: { base_url },
        });
        holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      },
      ['login'],
    ),
  ),
  portolan(
    'CONN-016',
    'an address of a vault that is link-local is refused',
    async (kit) => {
      const extra = { base_url: 'http://169.254.169.254' };
      const answer = await save(kit, { service: 'vault', auth_method: 'api_key', access_token: 'x', extra });
      holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
    },
    ['login'],
  ),
  portolan(
    'CONN-012',
    'a first grant of the suite CRM without a refresh token is refused',
    async (kit) => {
      const { oauth } = kit.emulators.cloud.suite_crm;
      await disconnect(kit, 'suite_crm');
      oauth.givesRefreshToken = false;
      try {
        holds((await connectByOAuth(kit, 'suite_crm')) !== null, 'a refusal', 'a connection');
      } finally {
        oauth.givesRefreshToken = true;
        equal(await connectByOAuth(kit, 'suite_crm'), null, 'a fault in connecting:');
      }
    },
    needsOf('suite_crm'),
  ),
  portolan(
    'SUITE-007',
    'the suite CRM is connected by OAuth only',
    async (kit) => {
      for (const auth_method of ['api_key', 'personal_token']) {
        const answer = await save(kit, { service: 'suite_crm', auth_method, access_token: 'x' });
        holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      }
    },
    needsOf('suite_crm'),
  ),
  ...(
    [
      ['service', { service: 'post_office', auth_method: 'api_key', access_token: 'x' }],
      ['method', { service: 'signing', auth_method: 'handshake', access_token: 'x' }],
      ['empty', { service: 'signing', auth_method: 'api_key', access_token: '' }],
      ['extra', { service: 'signing', auth_method: 'api_key', access_token: 'x', extra: 'none' }],
    ] as const
  ).map(([variant, body]) =>
    portolan(
      `CONN-014/${variant}`,
      `POST /save refuses what does not fit: ${variant}`,
      async (kit) => {
        const answer = await save(kit, body);
        holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      },
      ['login'],
    ),
  ),
  portolan(
    'CONN-009',
    'a key that is refused later makes the connection degraded',
    async (kit) => {
      await withKey(kit, 'tracker', async () => {
        kit.emulator('tracker').script(() => true, { status: 401, body: { errors: [{ message: 'refused' }] } });
        equal(member((await kit.api('GET', reading.tracker)).json, 'reason'), 'unauthorized', 'reason');
        equal(member(await stateOf(kit, 'tracker'), 'state'), 'degraded', 'state');
        const { received } = await kit.arriving('tracker', () => kit.api('GET', reading.tracker));
        equal(received.length, 0, 'the number of requests before the next probe');
      });
    },
    needsOf('tracker'),
  ),
  portolan(
    'CONN-018',
    'POST /connections/{service}/test tries the credentials and answers state and checked',
    async (kit) => {
      const browser = await kit.signedIn();
      const headers = { accept: 'application/json', 'content-type': 'application/json' };
      const { value, received } = await kit.arriving('sales_crm', () =>
        browser.ask({ method: 'POST', path: '/connections/sales_crm/test', headers, body: '{}' }),
      );
      status(value, 200);
      equal(
        [member(value.json, 'service'), member(value.json, 'state')],
        ['sales_crm', 'connected'],
        'service and state',
      );
      holds(received.length > 0, 'a request', received.length);
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'USER-005',
    'another user, the guest, sees no connection of mine',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      const guest = line.slice('user='.length).split(';')[0] ?? '';
      const answer = await kit.api('GET', '/api/connections', undefined, guest);
      lacks(answer.text, '"connected"', 'the connections of the guest');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'PAGE-008',
    '/page lists the five services',
    async (kit) => {
      const { text } = await (await kit.signedIn()).get('/page');
      for (const name of ['Sales CRM', 'Signing service', 'Suite CRM', 'Tracker', 'Vault'])
        contains(text, name, '/page');
    },
    ['login'],
  ),
  portolan(
    'USER-002',
    'the permission keys are the five service keys',
    async (kit) => {
      const { text } = await kit.api('GET', '/openapi.json');
      const served = new Set([...text.matchAll(/"\/api\/([a-z_]+)\//g)].map(([, key]) => key));
      for (const key of [...cloudKeys, 'vault']) holds(served.has(key), `operations of ${key}`, [...served]);
    },
    ['login', 'rest'],
  ),
];
