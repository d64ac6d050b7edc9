import { describe, expect, it } from 'vitest';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { suiteCrmWebhookSource } from '#test/support/services/vendors.ts';

const source = suiteCrmWebhookSource({ dialect: 'zoho', secrets: ['token'] });

/** The event of a notification, fetched with this answer, and what was called. */
async function fetched(notification: object, answer: Outcome) {
  const [part] = source.parts({ token: 'token', module: 'Deals', ids: ['47'], ...notification });
  const read = source.read(part?.body, 0);
  if (!read.ok) throw new Error(read.failure.detail);
  const called: unknown[] = [];
  const result = await source.fetch?.(read.value, async (...call) => {
    called.push(call);
    return answer;
  });
  return { result, read, called };
}

describe('an event of Zoho, whose notifications carry only ids', () => {
  const record = succeeded({ id: '47', Deal_Name: 'Acme', Stage: 'Closed Won' });

  it('has the fields of its record (SUITE-013)', async () => {
    const { result, called } = await fetched({ operation: 'update' }, record);
    expect(called).toEqual([['records.get', { module: 'Deals', id: '47' }]]);
    expect(result).toMatchObject({ ok: true, value: { name: 'Deals.edit', fields: { Deal_Name: 'Acme' } } });
  });

  it('is not fetched if fields were sent, or the record was deleted (SUITE-013)', async () => {
    const values = { operation: 'update', affected_values: [{ record_id: '47', values: { Stage: 'Lost' } }] };
    const sent = await fetched(values, record);
    expect([sent.called, sent.result]).toEqual([
      [],
      { ok: true, value: expect.objectContaining({ fields: { Stage: 'Lost' } }) },
    ]);
    const deleted = await fetched({ operation: 'delete' }, record);
    expect([deleted.called, deleted.result]).toEqual([[], deleted.read]);
  });

  it('stays as it was sent if the connection cannot read it; other failures are retried (SUITE-013)', async () => {
    for (const reason of ['not_connected', 'forbidden', 'invalid_input'] as const) {
      const { result, read } = await fetched({ operation: 'insert' }, failed(reason, 'no'));
      expect(result).toEqual(read);
    }
    const down = failed('unavailable', 'down');
    expect((await fetched({ operation: 'insert' }, down)).result).toEqual({ ok: false, failure: down });
  });
});
