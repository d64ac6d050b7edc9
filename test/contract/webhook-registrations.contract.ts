import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { type WebhookRegistration, wanted } from '#domain/webhook-registrations/webhook-registration.ts';

/** A store of registrations to test, and how to throw it away. */
export type OpenRegistrations = () => Promise<
  Readonly<{ registrations: WebhookRegistrations; close(): Promise<void> }>
>;

const at = 1_769_172_700_000;

const desired = {
  userId: 1,
  service: 'suite_crm',
  name: 'records',
  events: ['Leads.all', 'Deals.all'],
  url: 'https://portolan.example/webhooks/suite_crm',
  secretFingerprint: 'aB3_x-9z',
  account: 'acme',
} as const;

/** Every column has a value that no other has. */
const full: WebhookRegistration = {
  ...desired,
  state: 'active',
  since: at + 1,
  remoteId: '81234567890123',
  registeredAt: at + 2,
  expiresAt: at + 3,
  checkedAt: at + 4,
  failures: 2,
  retryAt: at + 5,
  reason: 'The suite CRM answered 503.',
  version: 0,
};

/** What every store of registrations does (WREG-001 to WREG-004). */
export function webhookRegistrationsContract(name: string, open: OpenRegistrations): void {
  describe(`webhook registrations (${name})`, () => {
    let registrations: WebhookRegistrations;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ registrations, close } = await open());
    });
    afterEach(() => close());

    it('LEDGER-001 gives back every member of a line, with its new version', async () => {
      expect(await registrations.keep(full)).toEqual({ ...full, version: 1 });
      expect(await registrations.list()).toEqual([{ ...full, version: 1 }]);
    });

    it('LEDGER-002 keeps null where there is nothing', async () => {
      const line = wanted({ ...desired, secretFingerprint: null, account: null }, at);
      await registrations.keep(line);
      expect(await registrations.list()).toEqual([{ ...line, version: 1 }]);
    });

    it('LEDGER-003 has one line for a user, a service and a name: a second first one is refused', async () => {
      await registrations.keep(full);
      expect(await registrations.keep({ ...full, remoteId: 'another' })).toBeNull();
      expect(await registrations.list()).toEqual([{ ...full, version: 1 }]);
    });

    it('LEDGER-004 of two changes of one version keeps one', async () => {
      const first = await registrations.keep(full);
      if (first === null) throw new Error('not kept');
      const changes = await Promise.all([
        registrations.keep({ ...first, remoteId: 'one' }),
        registrations.keep({ ...first, remoteId: 'two' }),
      ]);
      const kept = changes.filter((change) => change !== null);
      expect(kept).toHaveLength(1);
      expect(await registrations.list()).toEqual([{ ...first, remoteId: kept[0]?.remoteId, version: 2 }]);
    });

    it('LEDGER-005 removes the line of that version only', async () => {
      const first = await registrations.keep(full);
      if (first === null) throw new Error('not kept');
      const second = await registrations.keep({ ...first, state: 'left' });
      expect(await registrations.remove(first)).toBe(false);
      expect(second !== null && (await registrations.remove(second))).toBe(true);
      expect(second !== null && (await registrations.remove(second))).toBe(false);
      expect(await registrations.list()).toEqual([]);
      expect(await registrations.keep(full)).toEqual({ ...full, version: 1 });
    });

    it('LEDGER-006 lists by user, service and name', async () => {
      const names = [
        [10, 'tracker', 'issues'],
        [2, 'suite_crm', 'records'],
        [2, 'sales_crm', 'updated.person'],
        [2, 'sales_crm', 'updated.deal'],
      ] as const;
      for (const [userId, service, line] of names) await registrations.keep({ ...full, userId, service, name: line });
      const listed = (await registrations.list()).map(({ userId, service, name: line }) => [userId, service, line]);
      expect(listed).toEqual(names.toReversed());
    });
  });
}
