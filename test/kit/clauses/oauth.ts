import { contains, equal, eventually, holds, matches, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived } from '#test/kit/clauses/operations/rows.ts';
import { connectByOAuth } from '#test/kit/connections.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import { type CloudKey, cloudKeys } from '#test/kit/emulators/emulators.ts';
import { challengeOf, type Kit } from '#test/kit/kit.ts';
import { needsOf, reading, stateOf } from '#test/kit/services.ts';

/** The OAuth parameters of each service, copied from the interface: the authorization request, the exchange, the renewal. */
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
    constants: { response_type: /^code$/, scope: /\bread\b.*\bwrite\b|\bwrite\b.*\bread\b/ },
    exchange: ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri'],
    refresh: ['grant_type', 'client_id', 'client_secret', 'refresh_token'],
  },
};

/** The requests of a complete OAuth connection: authorization and exchange. */
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

/** The form fields of the renewal after a refused token. */
async function renewing(kit: Kit, service: CloudKey): Promise<URLSearchParams> {
  kit.emulators.cloud[service].oauth.expire();
  const { value, received } = await kit.arriving(service, () => kit.api('GET', reading[service]));
  status(value, 200);
  return new URLSearchParams(arrived(received, 'POST /oauth/token').text);
}

function hasFields(fields: URLSearchParams, names: readonly string[], what: string): void {
  for (const name of names) holds((fields.get(name) ?? '') !== '', `${what} to have ${name}`, [...fields.keys()]);
}

/** Clauses on the OAuth flows with the services, and on token renewal. */
export const oauth: readonly Clause[] = [
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
];

/** Clauses on calls that are refused whatever token they bring. */
export const refusedTwice: readonly Clause[] = cloudKeys.map((service) =>
  contract(
    `OP-005/${service}.refused`,
    'a call that is refused with the new token too is sent no third time, and its token renewed no second',
    async (kit) => {
      const { oauth, emulator } = kit.emulators.cloud[service];
      const no = { status: 401, body: { success: false, code: 'INVALID_TOKEN', message: 'refused' } };
      emulator.script(({ path }) => path !== '/oauth/token', no, no, no, no, no);
      try {
        oauth.expire();
        const { value, received } = await kit.arriving(service, () => kit.api('GET', reading[service]));
        holds(value.status >= 400, 'a failure', `${value.status} ${value.text}`);
        const renewals = received.filter(({ path }) => path === '/oauth/token');
        const sent = received.length - renewals.length;
        equal([renewals.length, sent], [1, 2], 'the numbers of renewals and calls');
      } finally {
        emulator.unscript();
        await connectByOAuth(kit, service);
      }
    },
    needsOf(service),
  ),
);
