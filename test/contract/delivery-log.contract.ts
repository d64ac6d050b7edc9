import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryLog } from '#application/ports/delivery-log.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';

/** A log to test, whose times are the clock's: how a delivery gets into it, and how to throw it away. */
export type OpenDeliveryLog = (
  clock: SettableClock,
) => Promise<Readonly<{ log: DeliveryLog; deliver(service: ServiceKey): Promise<void>; close(): Promise<void> }>>;

const at = 1_769_172_700_000;

/** What every log of deliveries does. */
export function deliveryLogContract(name: string, open: OpenDeliveryLog): void {
  describe(`delivery log (${name})`, () => {
    let clock: SettableClock;
    let opened: Awaited<ReturnType<OpenDeliveryLog>>;

    beforeEach(async () => {
      clock = new SettableClock(at);
      opened = await open(clock);
    });
    afterEach(() => opened.close());

    it('DELIVERIES-001 has none of anybody at first', async () => {
      expect(await opened.log.last()).toEqual({ sales_crm: null, signing: null, suite_crm: null, tracker: null });
    });

    it('DELIVERIES-002 tells the last of each service', async () => {
      await opened.deliver('tracker');
      clock.advance(5_000);
      await opened.deliver('tracker');
      await opened.deliver('suite_crm');
      clock.advance(5_000);
      await opened.deliver('signing');
      expect(await opened.log.last()).toEqual({
        sales_crm: null,
        signing: at + 10_000,
        suite_crm: at + 5_000,
        tracker: at + 5_000,
      });
    });
  });
}
