import { describe, expect, it } from 'vitest';
import { desiredWebhooks as ofSalesCrm } from '#adapters/services/sales-crm/neutral/webhook-registration.ts';
import { desiredWebhooks as ofSuiteCrm } from '#adapters/services/suite-crm/neutral/webhook-registration.ts';
import { desiredWebhooks as ofTracker } from '#adapters/services/tracker/neutral/webhook-registration.ts';
import { desiredWebhooksFor, isReachable, webhookAddress } from '#domain/webhook-registrations/desired-webhooks.ts';

const good = { isOn: true, baseUrl: 'https://portolan.example', hasSecret: true, secretVariable: 'A_SECRET' };
const connection = { userId: 7, url: 'https://portolan.example/webhooks/x', secretFingerprint: 'mark', extra: {} };

describe('the address for deliveries', () => {
  it('is the receiver of the service, POST /webhooks/{service}', () => {
    expect(webhookAddress('suite_crm', good)).toEqual({
      ok: true,
      value: 'https://portolan.example/webhooks/suite_crm',
    });
  });

  it.each([
    ['switched_off', { isOn: false }, 'WEBHOOK_REGISTRATION'],
    ['no_address', { baseUrl: null }, 'BASE_URL'],
    ['no_address', { baseUrl: 'http://localhost:3000' }, 'BASE_URL'],
    ['no_secret', { hasSecret: false }, 'A_SECRET'],
  ])('is missing for %s %j, with a remedy', (reason, change, help) => {
    const refused = webhookAddress('tracker', { ...good, ...change });
    expect(refused).toMatchObject({ ok: false, failure: { reason } });
    expect(refused.ok ? '' : refused.failure.message).toContain(help);
  });

  it.each([
    'http://localhost:3000',
    'http://app.localhost',
    'http://127.0.0.1:3000',
    'http://127.8.9.1',
    'http://[::1]:3000',
    'http://0.0.0.0:3000',
    'no address',
  ])('%s cannot be reached from outside', (address) => {
    expect(isReachable(address)).toBe(false);
  });

  it.each(['https://portolan.example', 'http://192.168.1.20:3000', 'https://localhost.example'])(
    '%s may be reachable from outside',
    (address) => expect(isReachable(address)).toBe(true),
  );
});

describe('the desired webhooks', () => {
  it('of the sales CRM are one for each event that has a reaction', () => {
    const desiredWebhooks = desiredWebhooksFor(
      { service: 'sales_crm', desired: ofSalesCrm },
      { ...connection, extra: { company_domain: 'acme' } },
    );
    expect(desiredWebhooks.map(({ events }) => events)).toEqual([
      ['updated.deal'],
      ['updated.person'],
      ['updated.organization'],
    ]);
    expect(desiredWebhooks.every(({ account, userId }) => account === 'acme' && userId === 7)).toBe(true);
  });

  it('of the suite CRM are one channel with all events of its modules', () => {
    expect(desiredWebhooksFor({ service: 'suite_crm', desired: ofSuiteCrm }, connection)).toEqual([
      {
        userId: 7,
        service: 'suite_crm',
        name: 'records',
        events: ['Leads.all', 'Contacts.all', 'Accounts.all', 'Deals.all'],
        url: 'https://portolan.example/webhooks/x',
        secretFingerprint: 'mark',
        account: null,
      },
    ]);
  });

  it('of the tracker are one for issues', () => {
    expect(
      desiredWebhooksFor({ service: 'tracker', desired: ofTracker }, connection).map(({ events }) => events),
    ).toEqual([['Issues']]);
  });
});
