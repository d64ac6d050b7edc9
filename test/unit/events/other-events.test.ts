import { describe, expect, it } from 'vitest';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { salesCrmWebhookSource, signingWebhookSource } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';

const receivedAt = Date.UTC(2026, 0, 14, 18, 20);
const sales = salesCrmWebhookSource({ secrets: ['x'], dialect: 'neutral' });
const signing = signingWebhookSource({ secrets: ['x'], dialect: 'neutral' });
const suite = suiteCrmWebhookSource({ secrets: ['x'] });

const actions = ['added', 'updated', 'deleted', 'merged'];
const objects = ['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product'];

describe('the sales CRM’s events (HOOK-018)', () => {
  it.each(actions.flatMap((action) => objects.map((object) => [action, object])))('include %s.%s', (action, object) => {
    const name = `${action}.${object}`;
    const event = { name, record: { service: 'sales_crm', kind: object, id: '8' }, occurredAt: receivedAt };
    expect(sales.read({ event: name, current: { id: 8 } }, receivedAt)).toMatchObject({ ok: true, value: event });
  });

  const providers: [string, string, Readonly<Record<string, string>>][] = [
    ['create', 'added.deal', {}],
    ['change', 'updated.deal', {}],
    ['delete', 'deleted.deal', {}],
    ['delete', 'merged.deal', { merged_to_id: '9' }],
    ['change', 'updated.deal', { merged_from_id: '7' }],
  ];
  it.each(providers)('include the provider’s %s as %s', (action, name, more) => {
    const meta = { action, entity: 'deal', entity_id: '8', id: 'e1', timestamp: '2026-01-14T18:16:56.057Z', ...more };
    const body = { meta, data: action === 'delete' ? null : { id: 8, title: 'A' }, previous: { id: 8, title: 'A' } };
    const event = { name, record: { id: '8' }, deal: { id: '8', title: 'A' }, occurredAt: 1_768_414_616_057 };
    expect(sales.read(body, receivedAt)).toMatchObject({ ok: true, value: event });
    expect(sales.parts(body)).toMatchObject([{ name, orderKey: 'sales_crm:deal:8' }]);
  });

  it('are also read in the provider’s first form, where a retry is known by its time', () => {
    const meta = { v: 1, action: 'updated', object: 'person', id: 8, timestamp_micro: 1_523_440_213_384_700 };
    const body = { v: 1, meta, retry: 0, current: { id: 8, name: 'Ann B', org_id: { value: 3 } }, previous: {} };
    expect(sales.read(body, receivedAt)).toMatchObject({
      value: { name: 'updated.person', occurredAt: 1_523_440_213_384, person: { organizationId: '3' } },
    });
    const verify = (retry: number) => {
      const basic = salesCrmWebhookSource({ secrets: ['u:p'], dialect: 'pipedrive' });
      const headers = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
      const bytes = Buffer.from(JSON.stringify({ ...body, retry }));
      return basic.verify({ ...sentTo('sales_crm'), headers, query: {}, body: bytes }, receivedAt);
    };
    const first = verify(0);
    const again = verify(1);
    expect(first.ok && again.ok && first.value.deliveryId).toBe(again.ok ? again.value.deliveryId : '');
  });

  it('distinguish what was not sent from what is empty', () => {
    const read = sales.read({ event: 'updated.deal', current: { id: 8, value: null, title: 7 } }, receivedAt);
    expect(read).toMatchObject({ value: { deal: { id: '8', value: null, title: undefined, status: undefined } } });
  });

  it.each([
    [{ event: 'updated.pipeline', current: { id: 1 } }, 'unknown'],
    [{ event: 'painted.deal', current: { id: 1 } }, 'unknown'],
    [{ event: 'updated.deal' }, 'unreadable'],
    [{}, 'unknown'],
    [null, 'unknown'],
    [[1], 'unknown'],
  ])('read %j as %s', (body, reason) => {
    expect(sales.read(body, receivedAt)).toMatchObject({ ok: false, failure: { reason } });
    expect(sales.parts(body)).toHaveLength(1);
  });

  it('ignore an invalid time', () => {
    const meta = { action: 'change', entity: 'deal', entity_id: '8', id: 'e', timestamp: 1e300 };
    expect(sales.read({ meta, data: { id: 8 } }, receivedAt)).toMatchObject({ value: { occurredAt: receivedAt } });
  });
});

describe('the signing service’s events (HOOK-019)', () => {
  it.each([
    'document_state_changed',
    'recipient_completed',
    'document_updated',
    'document_deleted',
    'document_creation_failed',
    'document_completed_pdf_ready',
  ])('include %s', (event) => {
    const data = { id: 'd1', name: 'NDA', status: 'document.viewed', date_modified: '2026-01-09T09:00:15.104914Z' };
    expect(signing.read({ event, data }, receivedAt)).toMatchObject({
      ok: true,
      value: {
        name: event,
        record: { service: 'signing', kind: 'document', id: 'd1' },
        occurredAt: Date.UTC(2026, 0, 9, 9, 0, 15, 104),
        document: { id: 'd1', name: 'NDA', status: 'document.viewed' },
      },
    });
  });

  it('are several parts when one delivery has several, those of one document in one lane', () => {
    const parts = signing.parts([
      { event: 'document_updated', data: { id: 'd1' } },
      { event: 'document_deleted', data: { id: 'd2' } },
      { event: 'document_deleted', data: { id: 'd1' } },
    ]);
    expect(parts.map(({ orderKey }) => orderKey)).toEqual([
      'signing:document:d1',
      'signing:document:d2',
      'signing:document:d1',
    ]);
  });

  it('are unknown otherwise, and unreadable without a document', () => {
    expect(signing.read({ event: 'quote_updated', data: { id: 'd1' } }, receivedAt)).toMatchObject({
      failure: { reason: 'unknown' },
    });
    expect(signing.read({ event: 'document_updated' }, receivedAt)).toMatchObject({
      failure: { reason: 'unreadable' },
    });
  });
});

describe('the suite CRM’s events (HOOK-020)', () => {
  it.each([
    ['insert', 'create'],
    ['update', 'edit'],
    ['delete', 'delete'],
    ['create', 'create'],
    ['edit', 'edit'],
  ])('include %s as {Module}.%s, of custom modules, too', (operation, action) => {
    const value = {
      name: `My_Module.${action}`,
      record: { service: 'suite_crm', kind: 'My_Module', id: '12' },
      occurredAt: 1_718_115_953_625,
      fields: { Stage: 'Won' },
    };
    const affected_values = [{ record_id: '12', values: { Stage: 'Won' } }];
    const body = { module: 'My_Module', operation, ids: ['12'], server_time: 1_718_115_953_625, affected_values };
    expect(suite.read(body, receivedAt)).toMatchObject({ ok: true, value });
  });

  it('are also read by the neutral name', () => {
    expect(suite.read({ event: 'Contacts.create', id: 5 }, receivedAt)).toMatchObject({
      value: { name: 'Contacts.create', record: { id: '5' }, occurredAt: receivedAt, fields: null },
    });
  });

  it.each([
    [{ module: 'Deals', operation: 'paint', ids: ['1'] }, 'unknown'],
    [{ module: '../x', operation: 'update', ids: ['1'] }, 'unknown'],
    [{ module: 'Deals', operation: 'update', ids: [] }, 'unreadable'],
    ['x', 'unknown'],
  ])('read %j as %s', (body, reason) => {
    expect(suite.parts(body)).toHaveLength(1);
    expect(suite.read(suite.parts(body)[0]?.body, receivedAt)).toMatchObject({ ok: false, failure: { reason } });
  });
});
