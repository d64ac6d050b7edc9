import { beforeEach, describe, expect, it } from 'vitest';
import { soonestExpiries } from '#application/subscriptions/soonest-expiries.ts';
import { type Subscription, wanted } from '#domain/subscriptions/subscription.ts';
import { MemorySubscriptionLedger } from '#test/doubles/memory-subscription-ledger.ts';

const now = 1_769_172_700_000;

describe('the seconds that hooks have left', () => {
  let ledger: MemorySubscriptionLedger;

  beforeEach(() => {
    ledger = new MemorySubscriptionLedger();
  });

  const keep = (change: Partial<Subscription>) => {
    const wish = { userId: 1, service: 'suite_crm', name: 'records', events: ['Leads.all'] } as const;
    const line = wanted({ ...wish, url: 'https://here.test', secretMark: null, account: null }, now);
    return ledger.keep({ ...line, state: 'active', expiresAt: now + 90_000, ...change });
  };

  it('are told of a registered hook that ends', async () => {
    await keep({});
    expect(await soonestExpiries(ledger, now)).toEqual([{ service: 'suite_crm', name: 'records', seconds: 90 }]);
  });

  it('are none when it is over', async () => {
    await keep({ expiresAt: now - 1 });
    expect(await soonestExpiries(ledger, now)).toMatchObject([{ seconds: 0 }]);
  });

  it('are those of the user whose hook ends first, in one figure', async () => {
    await keep({});
    await keep({ userId: 2, expiresAt: now + 30_000 });
    await keep({ userId: 3, expiresAt: now + 60_000 });
    expect(await soonestExpiries(ledger, now)).toEqual([{ service: 'suite_crm', name: 'records', seconds: 30 }]);
  });

  it.each([
    ['that does not end', { expiresAt: null }],
    ['that is not registered', { state: 'wanted' } as const],
    ['of a name that this version does not know', { name: 'something former' }],
  ])('are not told of a hook %s', async (_, change) => {
    await keep(change);
    expect(await soonestExpiries(ledger, now)).toEqual([]);
  });
});
