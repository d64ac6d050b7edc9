import { contains, equal, holds, lacks, matches, member, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { connectByOAuth, disconnect, save, withKey } from '#test/kit/connections.ts';
import { callsIn, type Received } from '#test/kit/emulators/emulator.ts';
import { type CloudKey, cloudKeys } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';
import { needsOf, reading, stateOf } from '#test/kit/services.ts';
import { send } from '#test/kit/wire.ts';

/** Skips the check where the target says that it is not set up for a service. */
async function demandSetUp(kit: Kit, service: CloudKey): Promise<void> {
  const browser = await kit.signedIn();
  const answer = await browser.get(kit.routed('GET', `/connect/${service}`).path);
  if (answer.status >= 400) throw new Skipped(`/connect/${service} answers ${answer.status}`);
}

/** Whether a request is for tokens by a code. */
const isExchange = ({ path, text }: Received): boolean =>
  path === '/oauth/token' && text.includes('authorization_code');

/** Clauses on connections with services: begun, saved, refused, listed, removed. */
export const connections: readonly Clause[] = [
  contract(
    'CONN-004',
    'GET /connect/{service} leads to the provider with a state of its own each time',
    async (kit) => {
      const { url } = kit.emulator('sales_crm');
      const browser = await kit.signedIn();
      const ask = async () =>
        new URL((await browser.get(kit.routed('GET', '/connect/sales_crm').path)).header('location'));
      await demandSetUp(kit, 'sales_crm');
      const [one, two] = [await ask(), await ask()];
      matches(one.searchParams.get('state'), /.{16,}/, 'state');
      holds(one.searchParams.get('state') !== two.searchParams.get('state'), 'two different states', one.href);
      contains(one.href, url, 'the address');
    },
    ['login'],
  ),
  ...cloudKeys.map((service) =>
    contract(
      `CONN-004/${service}`,
      `the target can be connected with ${service} by OAuth, and its calls arrive there`,
      async (kit) => {
        kit.routed('GET', `/connect/${service}`);
        const { url } = kit.emulator(service);
        await demandSetUp(kit, service);
        const lack = await kit.lack(`service:${service}`);
        holds(lack === null, `a connection with ${url}`, lack ?? '');
      },
      ['login'],
    ),
  ),
  portolan(
    'VAULT-001/connected',
    'calls of the target arrive at the vault',
    async (kit) => {
      const { url } = kit.emulator('vault');
      const lack = await kit.lack('service:vault');
      holds(lack === null, `a connection with ${url}`, lack ?? '');
    },
    ['login'],
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
      equal(received.filter(isExchange).length, 0, 'the number of exchanges');
    },
    needsOf('sales_crm'),
  ),
  portolan(
    'CONN-005/twice',
    'a callback that comes a second time is refused',
    async (kit) => {
      const { emulator } = kit.emulators.cloud.sales_crm;
      const browser = await kit.signedIn();
      const away = (await browser.get(kit.routed('GET', '/connect/sales_crm').path)).header('location');
      const back = new URL((await send(emulator.url, { path: away.slice(emulator.url.length) })).header('location'));
      const path = `${back.pathname}${back.search}`;
      status(await browser.get(path), [302, 303]);
      const { value, received } = await kit.arriving('sales_crm', () => browser.get(path));
      holds(value.status >= 400, 'a refusal', `${value.status} ${value.header('location')}`);
      equal(received.filter(isExchange).length, 0, 'the number of exchanges');
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
        equal(callsIn(received), [], 'the calls:');
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
        equal(callsIn(received), [], 'the calls before the next probe:');
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
];
