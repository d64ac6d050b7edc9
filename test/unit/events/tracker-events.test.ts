import { describe, expect, it } from 'vitest';
import { trackerWebhookSource } from '#test/support/services/vendors.ts';
import {
  issueData,
  issuePayload,
  sign,
  trackerDelivery,
  trackerSecret,
} from '#test/support/webhooks/webhook-tracker.ts';

const now = Date.UTC(2026, 0, 23, 13);
const source = trackerWebhookSource({ secrets: [trackerSecret], dialect: 'neutral' });
const read = (more: Readonly<Record<string, unknown>>) => source.read(issuePayload(now, more), now);

describe('the tracker’s events', () => {
  const resources: [string, string][] = [
    ['Issues', 'issue'],
    ['Issue comments', 'issue_comment'],
    ['Issue attachments', 'issue_attachment'],
    ['Issue labels', 'issue_label'],
    ['Comment reactions', 'comment_reaction'],
    ['Projects', 'project'],
    ['Project updates', 'project_update'],
    ['Documents', 'document'],
    ['Initiatives', 'initiative'],
    ['Initiative updates', 'initiative_update'],
    ['Cycles', 'cycle'],
    ['Customers', 'customer'],
    ['Customer requests', 'customer_request'],
    ['Users', 'user'],
  ];

  it.each(resources)('report %s with create, update and remove (HOOK-021)', (type, kind) => {
    for (const action of ['create', 'update', 'remove']) {
      const event = { name: `${kind}.${action}`, record: { service: 'tracker', kind, id: issueData()['id'] } };
      expect(read({ type, action })).toMatchObject({ ok: true, value: event });
    }
    expect(read({ type, action: 'set' })).toMatchObject({ ok: false, failure: { reason: 'unknown' } });
  });

  it.each(['set', 'highRisk', 'breached'])('report Issue SLA with %s (HOOK-021)', (action) => {
    expect(read({ type: 'Issue SLA', action })).toMatchObject({ value: { name: `issue_sla.${action}` } });
    expect(read({ type: 'IssueSLA', action })).toMatchObject({ value: { name: `issue_sla.${action}` } });
  });

  it('of one record share a lane, whatever happened', () => {
    const [create] = source.parts(issuePayload(now));
    const [update] = source.parts(issuePayload(now, { action: 'update' }));
    expect(create?.orderKey).toBe('tracker:issue:a7c0f1f6-7a51-4f4e-9d5e-0c2b8e1d4f10');
    expect(update?.orderKey).toBe(create?.orderKey);
    expect(source.parts({ type: 'Issue' })).toMatchObject([{ name: 'Issue.unknown', orderKey: null }]);
    expect(source.parts(null)).toMatchObject([{ name: 'unknown.unknown', orderKey: null }]);
  });

  it('are dated by the change of the record; a removal, by its sending', () => {
    expect(read({})).toMatchObject({ value: { occurredAt: Date.UTC(2026, 0, 23, 12, 53, 18, 84) } });
    expect(read({ action: 'remove' })).toMatchObject({ value: { occurredAt: now } });
    expect(read({ data: issueData({ updatedAt: 'soon' }) })).toMatchObject({ value: { occurredAt: now } });
  });

  it('contain what an update changed', () => {
    const updatedFrom = { stateId: 'x', sortOrder: 1, title: 'y', assigneeId: null };
    expect(read({ action: 'update', updatedFrom })).toMatchObject({
      value: { changed: ['state', 'title', 'assignee'] },
    });
  });

  it('are read even if their fields have unexpected types', () => {
    const data = {
      id: '1',
      title: 7,
      labels: 'none',
      project: [],
      assignee: { id: 3 },
      state: 'open',
      priority: 'high',
    };
    const nothing = { title: null, labels: [], project: null, assignee: null, state: null, priority: null };
    expect(read({ data })).toMatchObject({ ok: true, value: { issue: { id: '1', ...nothing } } });
  });
});

describe('verifying the tracker’s deliveries', () => {
  const fresh = trackerDelivery(issuePayload(now));

  it('accepts any of several secrets, and reports which one it was (HOOK-008)', () => {
    const rotating = trackerWebhookSource({ secrets: ['the new secret', trackerSecret], dialect: 'neutral' });
    expect(rotating.verify(fresh, now)).toMatchObject({
      ok: true,
      value: { deliveryId: expect.stringMatching(/^9b8c\.[0-9a-f]{32}$/), secret: 1 },
    });
  });

  it('accepts nothing without a secret', () => {
    const none = trackerWebhookSource({ secrets: [], dialect: 'neutral' });
    expect(none.verify(fresh, now)).toMatchObject({ ok: false, failure: { reason: 'no_secret' } });
  });

  it('refuses a signature that was sent twice', () => {
    const twice = { ...fresh, headers: { 'tracker-signature': [sign(fresh.body), sign(fresh.body)] } };
    expect(source.verify(twice, now)).toMatchObject({ ok: false, failure: { reason: 'unsigned' } });
  });

  it('uses the vendor’s own headers in its dialect, and not the neutral ones', () => {
    const own = trackerWebhookSource({ secrets: [trackerSecret], dialect: 'linear' });
    const headers = { 'linear-signature': sign(fresh.body), 'linear-delivery': 'd1' };
    expect(own.verify({ ...fresh, headers }, now)).toMatchObject({
      ok: true,
      value: { deliveryId: expect.stringMatching(/^d1\.[0-9a-f]{32}$/) },
    });
    expect(own.verify(fresh, now)).toMatchObject({ ok: false, failure: { reason: 'unsigned' } });
  });
});
