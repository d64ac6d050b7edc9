import { describe, expect, it } from 'vitest';
import { FetchedRecords } from '#adapters/services/webhooks/fetched-records.ts';
import type { UserCall } from '#application/ports/operation-caller.ts';
import { noNames } from '#application/ports/record-names.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { noScope } from '#application/ports/work-scope.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { reactionTo } from '#domain/reactions/reaction.ts';
import { err, ok } from '#domain/shared/result.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { rememberingLogger, startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';

type Titled = ServiceEvent & Readonly<{ title: string | null }>;

/** A sender whose deliveries carry an id only. */
const source: WebhookSource = {
  service: 'sales_crm',
  verify: () => ok({ body: {}, deliveryId: null, secret: 0 }),
  parts: (body) => [{ name: 'updated.deal', orderKey: null, body }],
  read: (part) => {
    const record = { service: 'sales_crm', kind: 'deal', id: String(part) } as const;
    const event: Titled = { service: 'sales_crm', name: 'updated.deal', record, occurredAt: startAt, title: null };
    return ok(event);
  },
  fetch: async (event, call) => {
    const deal = await call('deals.get', { id: event.record.id });
    if (!deal.ok) return err(deal);
    const fetched: Titled = { ...event, title: String(deal.data) };
    return ok(fetched);
  },
};

/** A delivery of deal 7, its reaction, and a service that answers as `answers` says, in this order. */
async function delivered(
  answers: readonly (() => Outcome | Promise<Outcome>)[],
  { events = ['updated.deal'], from = source }: Readonly<{ events?: readonly string[]; from?: WebhookSource }> = {},
) {
  const clock = new SettableClock(startAt);
  const inbox = new MemoryWebhookInbox(clock);
  const called: unknown[] = [];
  const seen: (string | null)[] = [];
  const reasons = new Map<string, string>();
  const caller = {
    call: async ({ userId, service, name, input }: UserCall) => {
      called.push({ userId, service, name, input });
      return (answers[called.length - 1] ?? answers.at(-1) ?? (() => failed('unavailable', 'down')))();
    },
  };
  const reaction = reactionTo<Titled>('sales_crm', events, (event) => {
    seen.push(event.title);
    return [{ do: 'tell', record: event.record, by: 'R.md', text: event.title ?? 'no title', isFault: false }];
  });
  const records = new FetchedRecords({
    sources: [from],
    caller,
    userOf: async () => 1,
    names: neutralNames,
    deadlineMs: 20,
  });
  const surroundings = { templates: defaultTemplates, baseUrl: 'https://portolan.example' };
  const plan = new PlanEntry({ inbox, sources: [from], reactions: [reaction], names: noNames, records, surroundings });
  const gate = {
    reasonToPause: async () => null,
    reasonToWait: async (service: string) => reasons.get(service) ?? null,
  };
  const drain = new DrainInbox({
    inbox,
    plan,
    applySteps: { run: async (step) => ok({ line: step.do === 'tell' ? step.text : '', result: 'ran' }) },
    gate,
    scope: noScope,
    names: neutralNames,
    senders: ['sales_crm'],
    metrics: noMetrics,
    clock,
    chance: () => 0.5,
    logger: rememberingLogger().logger,
    owner: 'a',
    timing: { leaseMs: 15_000, maxLeaseMs: 30_000, renewMs: 5_000 },
  });
  const deliveries = new Deliveries({
    inbox,
    reactionLog: new MemoryReactionLog(),
    receipts: new MemoryReceiptLog(),
    plan,
    gate,
    targets: webhookHarness().targets,
    secrets: ['secret-of-the-receiver'],
    secretIds: {},
    onReplay: () => undefined,
  });
  await inbox.keep([
    { service: 'sales_crm', deliveryId: 'd', orderKey: 'k', event: 'updated.deal', calls: 'vault', body: '7' },
  ]);
  const entry = async () => {
    const [only] = await inbox.list({ limit: 1 });
    if (only === undefined) throw new Error('The delivery is gone.');
    return only;
  };
  const later = async (ms: number) => {
    clock.advance(ms);
    await drain.run();
  };
  return { drain, later, entry, called, seen, reasons, deliveries };
}

const acme = () => succeeded('Acme');
const down = () => failed('unavailable', 'The connection failed.');

describe('an event whose delivery carries only an id', () => {
  it('is completed before reactions see it, by one call over the connection of the automation user (REACT-015)', async () => {
    const { drain, entry, called, seen } = await delivered([acme]);
    await drain.run();
    expect(called).toEqual([{ userId: 1, service: 'sales_crm', name: 'deals.get', input: { id: '7' } }]);
    expect(seen).toEqual(['Acme']);
    expect(await entry()).toMatchObject({ state: 'done', outcome: 'R.md: Acme' });
  });

  it('is not completed if no reaction may handle it (REACT-015)', async () => {
    const { drain, entry, called } = await delivered([acme], { events: ['added.deal'] });
    await drain.run();
    expect(called).toEqual([]);
    expect((await entry()).state).toBe('ignored');
  });

  it.each(['not_found', 'gone'] as const)(
    'is processed as it was sent if its record is %s (REACT-016)',
    async (reason) => {
      const { drain, entry, seen } = await delivered([() => failed(reason, 'There is no deal 7.')]);
      await drain.run();
      expect(seen).toEqual([null]);
      expect(await entry()).toMatchObject({ state: 'done', outcome: 'R.md: no title' });
    },
  );

  it('is fetched again at each attempt, and waits as long as the service asks for (INBOX-022, INBOX-012)', async () => {
    const limited = () => failed('rate_limited', 'Too many requests.', { retryAfterMs: 30_000 });
    const { drain, later, entry, called } = await delivered([limited, acme]);
    await drain.run();
    expect(await entry()).toMatchObject({ state: 'pending', error: 'rate_limited: Too many requests.' });
    await later(29_000);
    expect(called).toHaveLength(1);
    await later(2_000);
    expect(called).toHaveLength(2);
    expect(await entry()).toMatchObject({ state: 'done', outcome: 'R.md: Acme' });
  });

  it('is tried again while the service is down, and is dead after 24 hours (INBOX-022, INBOX-003)', async () => {
    const { drain, later, entry } = await delivered([down]);
    await drain.run();
    expect(await entry()).toMatchObject({
      state: 'pending',
      calls: 'sales_crm',
      error: 'unavailable: The connection failed.',
    });
    await later(86_400_000);
    expect((await entry()).state).toBe('dead');
  });

  it('waits without an attempt while the connection cannot be used, and is then processed (INBOX-022, INBOX-011)', async () => {
    const { drain, later, entry, reasons, called } = await delivered([
      () => failed('unauthorized', 'Connect again.'),
      acme,
    ]);
    reasons.set('sales_crm', 'The sales CRM must be connected again.');
    await drain.run();
    await later(7 * 86_400_000);
    expect(await entry()).toMatchObject({ state: 'pending', error: 'The sales CRM must be connected again.' });
    expect(called).toHaveLength(1);
    reasons.clear();
    await later(1_000);
    expect(await entry()).toMatchObject({ state: 'done', outcome: 'R.md: Acme' });
  });

  it('is dead at once if the service refuses the call (INBOX-022, INBOX-004)', async () => {
    const { drain, entry } = await delivered([() => failed('rejected', 'No such field.')]);
    await drain.run();
    expect(await entry()).toMatchObject({ state: 'dead', error: 'rejected: No such field.' });
  });

  it('is not waited for longer than the time limit (REACT-015)', async () => {
    const { drain, entry } = await delivered([() => new Promise<Outcome>(() => undefined)]);
    await drain.run();
    const error = 'unavailable: The Sales CRM did not return the record within 1 s.';
    expect(await entry()).toMatchObject({ state: 'pending', error });
  });

  it('is processed although its sender no longer fetches, if it waits for a record (INBOX-022)', async () => {
    const changing = { ...source };
    const { drain, later, entry } = await delivered([down], { from: changing });
    await drain.run();
    expect((await entry()).calls).toBe('sales_crm');
    Reflect.deleteProperty(changing, 'fetch');
    await later(120_000);
    expect(await entry()).toMatchObject({ state: 'done', outcome: 'R.md: no title' });
  });

  it('is fetched again by a dry run, which shows it with secrets masked, and by a replay (INBOX-022)', async () => {
    const secretive = () => succeeded('Acme, secret-of-the-receiver');
    const { drain, entry, deliveries, called } = await delivered([acme, secretive, down, acme]);
    await drain.run();
    const { seq } = await entry();
    const shown = await deliveries.dryRun(seq);
    expect(shown).toMatchObject({ ending: 'done: R.md: Acme, secret-of-the-receiver' });
    expect(JSON.parse(shown?.fetched ?? '')).toMatchObject({ record: { id: '7' }, title: 'Acme, •••' });
    expect(await deliveries.dryRun(seq)).toEqual({
      changes: [],
      fetched: null,
      ending: 'failed: unavailable: The connection failed.',
    });
    await deliveries.replay(seq);
    await drain.run();
    expect(called).toHaveLength(4);
    expect((await entry()).state).toBe('done');
  });
});
