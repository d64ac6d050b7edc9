import { describe, expect, it } from 'vitest';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { startAt } from '#test/support/webhooks/webhook-harness.ts';
import { suiteCrmDelivery, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';

const delivery = suiteCrmDelivery({ module: 'Contacts', operation: 'insert', ids: ['1'] });
const from = (address: string | undefined, addresses?: readonly string[]) => {
  const source = suiteCrmWebhookSource({ secrets: [suiteCrmToken], addresses });
  const verified = source.verify({ ...delivery, ...(address === undefined ? {} : { address }) }, startAt);
  return verified.ok ? 'taken' : verified.failure.reason;
};

describe('deliveries of the suite CRM', () => {
  it.each(['203.0.113.7', '::1', undefined])(
    'are accepted from anywhere while no addresses are configured: %s',
    (address) => {
      expect(from(address)).toBe('taken');
    },
  );

  it.each([
    ['203.0.113.7', 'taken'],
    ['::ffff:203.0.113.7', 'taken'],
    ['203.0.114.1', 'foreign_address'],
    ['198.51.100.5', 'taken'],
    ['198.51.100.6', 'foreign_address'],
    ['2001:db8:0:1::2', 'taken'],
    ['2001:db9::1', 'foreign_address'],
    ['', 'foreign_address'],
    ['203.0.113.7, 1.2.3.4', 'foreign_address'],
    [undefined, 'foreign_address'],
  ])('are accepted only from the configured addresses: %s is %s (HOOK-014)', (address, outcome) => {
    expect(from(address, ['203.0.113.0/24', '198.51.100.5', '2001:db8::/32'])).toBe(outcome);
  });
});
