import { expect, it } from 'vitest';
import { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import { TryReaction } from '#application/reactions/try-reaction.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

/** Tries a reaction on three deliveries of deals; `complete` fetches their records. */
async function tried(complete: (event: ServiceEvent) => Promise<Result<ServiceEvent, Failure>>) {
  const { receive, inbox, sources, targets, clock } = webhookHarness();
  for (const id of [1, 2, 3]) {
    const received = await receive.run(salesCrmDelivery(dealPayload({ id })));
    if (!received.ok) throw new Error(received.failure.detail);
  }
  const seen: ServiceEvent[] = [];
  const plan = {
    try: async (_: unknown, event: ServiceEvent) => {
      seen.push(event);
      return null;
    },
  };
  const events = new EventsOfPeriod(inbox, sources);
  const trigger = { kind: 'event', service: 'sales_crm', name: 'updated.deal' } as const;
  const reaction = new TryReaction({ plan, events, records: { complete }, targets, clock });
  return { results: await reaction.run(Object({ path: 'R.md', triggers: [trigger] })), seen };
}

it('a reaction is tried on past events with the records as they are now (WRITE-035)', async () => {
  const { results, seen } = await tried(async (event) => ok({ ...event, fetched: true }));
  expect(seen).toHaveLength(3);
  for (const event of seen) expect(event).toMatchObject({ name: 'updated.deal', fetched: true });
  expect(results.map(({ ending }) => ending)).toEqual(Array(3).fill(expect.stringMatching(/^nothing: /)));
});

it('a reaction is tried on no more events once a record cannot be fetched, which is said (WRITE-035)', async () => {
  let asked = 0;
  const { results, seen } = await tried(async (event) => {
    asked += 1;
    return asked === 1 ? ok(event) : err(failed('unavailable', 'The Sales CRM did not answer.'));
  });
  expect([asked, seen.length]).toEqual([2, 1]);
  expect(results).toHaveLength(2);
  expect(results[1]).toMatchObject({
    event: 'sales_crm.updated.deal',
    isMet: false,
    changes: [],
    ending: 'failed: The Sales CRM did not answer.',
  });
});
