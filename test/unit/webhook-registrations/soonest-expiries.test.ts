import { beforeEach, describe, expect, it } from 'vitest';
import { soonestExpiries } from '#application/webhook-registrations/soonest-expiries.ts';
import { type WebhookRegistration, wanted } from '#domain/webhook-registrations/webhook-registration.ts';
import { MemoryWebhookRegistrations } from '#test/doubles/memory-webhook-registrations.ts';

const now = 1_769_172_700_000;
const known = [{ service: 'suite_crm', name: 'records' }];

describe('the seconds that webhooks have left', () => {
  let registrations: MemoryWebhookRegistrations;

  beforeEach(() => {
    registrations = new MemoryWebhookRegistrations();
  });

  const keep = (change: Partial<WebhookRegistration>) => {
    const desired = { userId: 1, service: 'suite_crm', name: 'records', events: ['Leads.all'] } as const;
    const line = wanted({ ...desired, url: 'https://here.test', secretFingerprint: null, account: null }, now);
    return registrations.keep({ ...line, state: 'active', expiresAt: now + 90_000, ...change });
  };

  it('are reported for a registered webhook that expires', async () => {
    await keep({});
    expect(await soonestExpiries(registrations, known, now)).toEqual([
      { service: 'suite_crm', name: 'records', seconds: 90 },
    ]);
  });

  it('are zero when it has expired', async () => {
    await keep({ expiresAt: now - 1 });
    expect(await soonestExpiries(registrations, known, now)).toMatchObject([{ seconds: 0 }]);
  });

  it('are those of the user whose webhook expires first, as one figure', async () => {
    await keep({});
    await keep({ userId: 2, expiresAt: now + 30_000 });
    await keep({ userId: 3, expiresAt: now + 60_000 });
    expect(await soonestExpiries(registrations, known, now)).toEqual([
      { service: 'suite_crm', name: 'records', seconds: 30 },
    ]);
  });

  it.each([
    ['that does not end', { expiresAt: null }],
    ['that is not registered', { state: 'wanted' } as const],
    ['of a name that this version does not know', { name: 'something former' }],
  ])('are not reported for a webhook %s', async (_, change) => {
    await keep(change);
    expect(await soonestExpiries(registrations, known, now)).toEqual([]);
  });
});
