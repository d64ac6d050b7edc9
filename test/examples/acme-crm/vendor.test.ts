import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '#adapters/services/definitions/service.ts';
import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import type { Vendor } from '#adapters/services/definitions/vendor.ts';
import { operationsOf } from '#adapters/services/definitions/vendor-operations.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { ok } from '#domain/shared/result.ts';
import { VendorStage } from '#test/contracts/kit/vendor-stage.ts';
import { type CannedVendor, vendorContract } from '#test/contracts/vendor.ts';
import { cannedAcme } from '#test/examples/acme-crm/canned.ts';
import { FirstFailure } from '#test/mutants/first-failure.ts';

vendorContract({ describe, it, beforeEach, afterEach }, cannedAcme);

/** The same service with a vendor that is broken so. */
function broken(change: (vendor: Vendor) => Partial<ReturnType<Vendor['configure']>>): Service {
  const { service } = cannedAcme;
  const parts = service.parts.map((vendor) => {
    if (vendor.name !== 'acme') return vendor;
    const configure: Vendor['configure'] = (...given) => ({ ...vendor.configure(...given), ...change(vendor) });
    return { ...vendor, configure };
  });
  return serviceOf(service.kind, parts);
}

const settings = {
  dialect: 'acme',
  url: null,
  authorizeUrl: null,
  tokenUrl: null,
  app: null,
  clientSecret: null,
  webhookSecrets: ['a secret of hooks'],
};
const factsOf = (vendor: Vendor) => vendor.configure(settings, {});
const sourceOf = (vendor: Vendor) => factsOf(vendor).webhooks?.source();

async function firstFailure(change: Partial<CannedVendor>): Promise<string | undefined> {
  const runner = new FirstFailure();
  vendorContract(runner, { ...cannedAcme, ...change });
  return (await runner.run())?.title.slice(0, 10);
}

const { 'deals.get': dealsGet, ...others } = cannedAcme.operations ?? {};
const [delivery] = cannedAcme.deliveries ?? [];

it('refuses an input that the vendor has no equivalent of, by its name, and sends nothing (VEND-007)', async () => {
  const stage = await VendorStage.open(cannedAcme);
  const outcome = await stage.call('deals.create', { title: 'Ten tables', person_id: 3 });
  expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input', sent: 'no' });
  expect(outcome.ok ? '' : outcome.message).toContain('`person_id` has no equivalent at Acme CRM. Leave it out.');
  expect(stage.seen).toEqual([]);
  await stage.close();
});

it.each([
  ['for an operation that it does by a request', { path: '/sales' }, 'limit', 'only a recipe can lack inputs'],
  ['for an operation that it does as the neutral one', undefined, 'limit', 'only a recipe can lack inputs'],
  ['that the operation does not have', async () => succeeded([]), 'limits', 'has no input limits'],
])('is no vendor if it states lacking inputs %s (VEND-007)', (_, how, input, said) => {
  const wrong = () =>
    operationsOf(cannedAcme.service.kind.operations, {
      name: 'acme',
      title: 'Acme CRM',
      called: 'The Sales CRM (Acme CRM)',
      requests: {},
      stated: how === undefined ? {} : { 'deals.list': how },
      lacksInputs: { 'deals.list': [input] },
      otherwise: 'neutral',
    });
  expect(wrong).toThrow(said);
});

describe('the suite of vendors (VEND-006)', () => {
  it('passes for a vendor that keeps to what its provider says', async () => {
    expect(await firstFailure({})).toBeUndefined();
  });

  it.each<[string, string, Partial<CannedVendor>]>([
    ['VENDOR-001', 'does an operation that no exchange shows', { operations: others }],
    [
      'VENDOR-002',
      'sends another request',
      {
        operations: {
          ...others,
          'deals.get': { ...dealsGet, exchanges: [{ request: { path: '/sales/8' }, answer: {} }] },
        },
      },
    ],
    [
      'VENDOR-003',
      'answers other members',
      { operations: { ...cannedAcme.operations, 'deals.get': { exchanges: [], ...dealsGet, data: { id: 8 } } } },
    ],
    [
      'VENDOR-004',
      'takes a refusal for something else',
      { errors: [{ operation: 'users.me', answer: { status: 403 }, reason: 'unauthorized' }] },
    ],
    [
      'VENDOR-005',
      'ends a list too early',
      {
        pages: [
          {
            operation: 'deals.list',
            cursor: 'cursor',
            answers: [{ answer: { body: { sales: [] } } }, { answer: { body: { sales: [] } } }],
          },
        ],
      },
    ],
    [
      'VENDOR-006',
      'reads other events',
      { deliveries: delivery === undefined ? [] : [{ ...delivery, events: ['added.deal'] }] },
    ],
    [
      'VENDOR-002',
      'sends no credentials',
      { service: broken((vendor) => ({ dialect: () => ({ ...factsOf(vendor).dialect(), credentials: () => ({}) }) })) },
    ],
    [
      'VENDOR-007',
      'accepts what nobody signed',
      {
        service: broken((vendor) => {
          const { webhooks } = factsOf(vendor);
          const source = sourceOf(vendor);
          if (webhooks === null || source === undefined) throw new Error('Acme sends webhooks.');
          const verify: typeof source.verify = ({ body }) => {
            const text = Buffer.from(body).toString();
            return ok({ body: text === '' ? null : JSON.parse(text), deliveryId: null, secret: 0 });
          };
          return { webhooks: { ...webhooks, source: () => ({ ...source, verify }) } };
        }),
      },
    ],
    [
      'VENDOR-008',
      'throws for a body without members',
      {
        service: broken((vendor) => {
          const { webhooks } = factsOf(vendor);
          const source = sourceOf(vendor);
          if (webhooks === null || source === undefined) throw new Error('Acme sends webhooks.');
          const parts: typeof source.parts = (body) =>
            source.parts(Object.assign(Object(body), JSON.parse(JSON.stringify(body))));
          return {
            webhooks: {
              ...webhooks,
              source: () => ({ ...source, parts: (body) => (body === null ? [] : parts(body)) }),
            },
          };
        }),
      },
    ],
  ])('fails at %s for one that %s', async (clause, _, change) => {
    expect(await firstFailure(change)).toBe(clause);
  });
});
