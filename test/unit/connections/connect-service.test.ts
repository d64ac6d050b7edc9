import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import { ProviderConnectionMethods } from '#adapters/services/credentials/connection-methods.ts';
import { ConnectService } from '#application/connections/connect-service.ts';
import type { ProviderCallback, ProviderGrants } from '#application/ports/provider-grants.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { ok } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { ConnectionHarness, connected } from '#test/support/connections/connection-harness.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { salesCrmProvider, signingProvider, vaultProvider } from '#test/support/services/providers.ts';

const ada: User = {
  id: 1,
  email: 'ada@example.com',
  permissions: ['sales_crm'],
  isAdmin: false,
  signedOutBefore: null,
};
const browser = 'the browser of Ada';
const tenMinutes = 600_000;
const nowhere = { url: 'https://crm.example', authorizeUrl: null, tokenUrl: null };
const providers = [
  salesCrmProvider({ dialect: 'neutral', ...nowhere }),
  signingProvider({ dialect: 'neutral', ...nowhere, url: null }),
  vaultProvider('neutral'),
  // A service whose metadata may have further members.
  { ...vaultProvider('neutral'), service: 'tracker' as const, extra: z.looseObject({}) },
];

let harness: ConnectionHarness;
let connect: ConnectService;
let exchanged: ProviderCallback[];
let begun: unknown[];
let probed: Outcome;

beforeEach(() => {
  harness = new ConnectionHarness();
  exchanged = [];
  begun = [];
  probed = succeeded({});
  const grants: ProviderGrants = {
    revoke: async () => false,
    begin: (_, { state, registersWebhooks }) => {
      begun.push(registersWebhooks);
      return ok({ url: `https://provider.example/?state=${state}`, codeVerifier: 'verifier' });
    },
    exchange: async (callback) => {
      exchanged.push(callback);
      return ok({ ...connected, accessToken: 'new-access', extra: callback.extra });
    },
    renew: async () => {
      throw new Error('not here');
    },
    renewEveryMs: () => null,
    renewedServices: () => [],
    isReporter: () => false,
  };
  connect = new ConnectService({
    connections: harness.connections,
    grants,
    pending: new MemoryPendingConnects(),
    methods: new ProviderConnectionMethods(providers, new Map()),
    probe: { complete: async (record) => ok(record), probe: async () => probed },
    names: neutralNames,
    clock: harness.clock,
    random: systemRandom,
    logger: harness.logger,
    redirectUriOf: (service) => `https://portolan.example/connect/${service}/callback`,
    webhookUserId: 1,
  });
});

const begin = async (extra: Readonly<Record<string, unknown>> = {}, user = ada): Promise<string> => {
  const begun = await connect.begin(user, 'sales_crm', { browser, extra });
  if (!begun.ok) throw new Error(begun.failure.message);
  return new URL(begun.value).searchParams.get('state') ?? '';
};
const finish = (state: string, user = ada) =>
  connect.finish(user, 'sales_crm', { browser, query: { state, code: 'the-code' } });

describe('connecting a service', () => {
  it('may take ten minutes, and not a moment longer', async () => {
    const [inTime, late] = [await begin(), await begin()];
    harness.clock.advance(tenMinutes);
    expect(await finish(inTime)).toMatchObject({ ok: true });
    harness.clock.advance(1);
    expect(await finish(late)).toMatchObject({ ok: false, failure: { reason: 'unknown_state' } });
  });

  it('reports whether webhooks will be registered with the tokens: with those of the automation user', async () => {
    await begin();
    await begin({}, { ...ada, id: 2 });
    expect(begun).toEqual([true, false]);
  });

  it('accepts seats from a link, and refuses what is not a count', async () => {
    await finish(await begin({ plan: 'growth', seats: '10' }));
    expect(exchanged[0]?.extra).toEqual({ plan: 'growth', seats: 10 });
    for (const seats of ['ten', '0', '100001', '1.5', '-1', '0x10', ' 7', true]) {
      expect(await connect.begin(ada, 'sales_crm', { browser, extra: { seats } })).toMatchObject({
        ok: false,
        failure: { reason: 'invalid_extra', message: expect.stringContaining('seats') },
      });
    }
  });

  it('keeps what it knew, together with new limits', async () => {
    await harness.keep({ ...connected, extra: { company_domain: 'acme', plan: 'lite' } });
    await finish(await begin({ plan: 'growth', seats: 3 }));
    expect(exchanged[0]?.extra).toEqual({ company_domain: 'acme', plan: 'growth', seats: 3 });
    await finish(await begin({ company_domain: 'other' }));
    expect(exchanged[1]?.extra).toEqual({ company_domain: 'other' });
  });

  it('sends the verifier and the address that it started with to the exchange', async () => {
    await finish(await begin());
    expect(exchanged).toMatchObject([
      { codeVerifier: 'verifier', redirectUri: 'https://portolan.example/connect/sales_crm/callback' },
    ]);
  });

  it('stores nothing when the permission was revoked meanwhile', async () => {
    const state = await begin();
    expect(await finish(state, { ...ada, permissions: [] })).toMatchObject({
      ok: false,
      failure: { reason: 'forbidden' },
    });
    expect(exchanged).toEqual([]);
  });

  it('uses states that are unguessable and unique', async () => {
    const states = await Promise.all(Array.from({ length: 50 }, () => begin()));
    expect(new Set(states).size).toBe(50);
    for (const state of states) expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});

describe('what a connection stores besides its tokens', () => {
  it('stays when the user connects again', async () => {
    await harness.keep({ ...connected, extra: { company_domain: 'acme', plan: 'growth' } });
    await finish(await begin());
    expect(await harness.record()).toMatchObject({
      accessToken: 'new-access',
      extra: { company_domain: 'acme', plan: 'growth' },
    });
  });

  it('is reset when the user chooses something else', async () => {
    await harness.keep({ ...connected, extra: { company_domain: 'acme', plan: 'growth' } });
    await finish(await begin({ company_domain: 'other', plan: 'premium' }));
    expect((await harness.record())?.extra).toEqual({
      company_domain: 'other',
      plan: 'premium',
      account: expect.any(String),
    });
  });

  it.each(['embedded', 'from_settings', 'base_url', 'constructor', 'seat'])(
    'is refused with the choice %s, which the service does not have (CONN-026)',
    async (name) => {
      const begun = await connect.begin(ada, 'sales_crm', { browser, extra: { [name]: 'x' } });
      const known = 'It takes `company_domain`, `plan` and `seats`.';
      expect(begun).toMatchObject({ ok: false, failure: { reason: 'invalid_extra' } });
      expect(begun.ok ? '' : begun.failure.message).toMatch(new RegExp(`no argument \`${name}\`.* ${known}$`));
    },
  );
});

describe('old credentials', () => {
  beforeEach(() => harness.keep(connected));

  it('stay when the provider refuses its new tokens', async () => {
    probed = failed('unauthorized', 'no');
    expect(await finish(await begin())).toMatchObject({ ok: false, failure: { reason: 'refused' } });
    expect(await harness.record()).toEqual(connected);
  });

  it.each([
    ['unavailable', 'unchecked'],
    ['rate_limited', 'unchecked'],
    ['forbidden', 'connected'],
  ] as const)('are replaced when testing the new ones ends as %s: then the connection is %s', async (reason, state) => {
    probed = failed(reason, 'because');
    expect(await finish(await begin())).toMatchObject({ ok: true });
    expect(await harness.record()).toMatchObject({ accessToken: 'new-access' });
    expect(await harness.status()).toMatchObject({ state });
  });
});

describe('the connection methods of the services', () => {
  const methods = new ProviderConnectionMethods(providers, new Map([['sales_crm', source()]]));

  it('name the settings that are missing', () => {
    expect(methods.find('sales_crm')?.oauth).toEqual({
      missing: ['SALES_CRM_CLIENT_ID', 'SALES_CRM_CLIENT_SECRET', 'SALES_CRM_AUTHORIZE_URL', 'SALES_CRM_TOKEN_URL'],
    });
    expect(methods.find('signing')).toMatchObject({ oauth: null, keys: { missing: ['SIGNING_URL'] } });
    expect(methods.find('vault')).toMatchObject({ oauth: null, keys: { missing: [] } });
    expect(methods.find('suite_crm')).toBeNull();
  });

  it('know the choices of a service', () => {
    expect(methods.find('signing')?.choices).toEqual([{ name: 'plan', values: ['sandbox', 'production'] }]);
  });

  it.each([
    ['sales_crm', { company_domain: 'acme' }, { company_domain: 'acme' }],
    ['sales_crm', { company_domain: 'evil.example/' }, null],
    ['sales_crm', { company_domain: '-acme' }, null],
    ['sales_crm', { plan: 'infinite' }, null],
    ['vault', { base_url: 'https://127.0.0.1:27124' }, { base_url: 'https://127.0.0.1:27124', verify_ssl: true }],
    ['vault', { base_url: 'file:///etc/passwd' }, null],
    ['vault', {}, null],
    [
      'vault',
      { base_url: 'http://h', embedded: true, from_settings: true },
      { base_url: 'http://h', verify_ssl: true },
    ],
    ['tracker', { header_format: 'own', embedded: true, from_settings: true }, { header_format: 'own' }],
    ['suite_crm', { anything: 1 }, {}],
  ] as const)('parse %s from %j as %j', (service, given, kept) => {
    const checked = methods.checkExtra(service, given);
    expect(checked.ok ? checked.value : null).toEqual(kept);
  });
});

function source() {
  const facts = providers[0]?.oauth;
  if (facts === null || facts === undefined) throw new Error('no OAuth');
  return { name: neutralNames.of('sales_crm'), facts, app: null };
}
