import { describe, expect, it } from 'vitest';
import { mask, maskedBody } from '#domain/webhooks/masked-body.ts';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { documentPayload, signingDelivery, signingKey } from '#test/support/webhooks/webhook-senders.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

describe('receipts', () => {
  it('record when a secret was last used, to the minute', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(issuePayload(startAt));
    await harness.receipts.settled();
    expect(await harness.receiptLog.uses()).toEqual([{ service: 'tracker', secretId: 'tracker-1', usedAt: startAt }]);
    harness.clock.advance(60_000);
    await harness.deliver(issuePayload(harness.clock.now()));
    await harness.receipts.settled();
    expect(await harness.receiptLog.uses()).toMatchObject([{ usedAt: startAt + 60_000 }]);
  });

  it('list stale deliveries with a valid signature separately, and count how often each arrived', async () => {
    const harness = webhookHarness();
    const old = signingDelivery(documentPayload(startAt - 600_000, 'document_updated'));
    expect(await harness.receive.run(old)).toMatchObject({ ok: false, failure: { reason: 'stale' } });
    await harness.receive.run(old);
    await harness.receive.run(trackerDelivery(issuePayload(startAt - 61_000), { 'tracker-delivery': 'late-1' }));
    await harness.receipts.settled();
    const stale = await harness.deliveries.stale();
    expect(stale).toMatchObject([
      { service: 'tracker', deliveryId: expect.stringMatching(/^late-1\.[0-9a-f]{32}$/), ageMs: 61_000, times: 1 },
      { service: 'signing', deliveryId: expect.stringMatching(/^sha256:/), ageMs: 600_000, times: 2 },
    ]);
    expect(await harness.inbox.list({ limit: 1 })).toEqual([]);
  });

  it('list nothing with a forged signature', async () => {
    const harness = webhookHarness();
    const forged = trackerDelivery(issuePayload(startAt - 61_000), { 'tracker-signature': 'a'.repeat(64) });
    await harness.receive.run(forged);
    await harness.receipts.settled();
    expect(await harness.deliveries.stale()).toEqual([]);
    expect(await harness.receiptLog.uses()).toEqual([]);
  });

  it('show every configured secret, and a used one that is no longer configured', async () => {
    const harness = webhookHarness();
    await harness.receiptLog.noteUse({ service: 'tracker', secretId: 'former', usedAt: 5 });
    expect(await harness.deliveries.secrets()).toEqual([
      { service: 'sales_crm', secretId: 'sales-1', usedAt: null, isConfigured: true },
      { service: 'signing', secretId: 'signing-1', usedAt: null, isConfigured: true },
      { service: 'suite_crm', secretId: 'suite-1', usedAt: null, isConfigured: true },
      { service: 'tracker', secretId: 'tracker-1', usedAt: null, isConfigured: true },
      { service: 'tracker', secretId: 'former', usedAt: 5, isConfigured: false },
    ]);
  });
});

describe('a displayed body', () => {
  it('contains no secret', () => {
    const body = { token: 'abc', data: { api_key: 1, note: `it is ${signingKey}`, name: 'Ann', shared_link: '' } };
    const shown = maskedBody(JSON.stringify(body), [signingKey]);
    expect(JSON.parse(shown)).toEqual({
      token: mask,
      data: { api_key: mask, note: `it is ${mask}`, name: 'Ann', shared_link: '' },
    });
  });
});

describe('a dry run', () => {
  it('shows what would be written, and writes nothing', async () => {
    const harness = webhookHarness();
    await harness.receive.run(trackerDelivery(issuePayload(startAt)));
    const plan = await harness.deliveries.dryRun(1);
    expect(plan?.ending).toBe('done: created Issues/ENG-7 Fix login.md');
    expect(plan?.changes[0]).toMatch(/^create Issues\/ENG-7 Fix login\.md:\n---\ntracker_issue_id: /);
    expect(plan?.changes[1]).toMatch(/^append under History in .*:\n- 2026-01-23 12:53 UTC: created by Bea/);
    expect(plan?.changes).toHaveLength(2);
    expect(harness.vault.paths).toEqual([]);
    expect(await harness.inbox.find(1)).toMatchObject({ state: 'pending', attempts: 0 });
    await harness.drain.run();
    expect(await harness.inbox.find(1)).toMatchObject({ state: 'done', outcome: 'created Issues/ENG-7 Fix login.md' });
    expect(await harness.deliveries.dryRun(1)).toEqual({
      changes: [],
      fetched: null,
      ending: 'done: unchanged Issues/ENG-7 Fix login.md',
    });
    expect(await harness.deliveries.dryRun(99)).toBeNull();
  });
});
