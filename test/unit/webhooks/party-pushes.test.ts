import { describe, expect, it } from 'vitest';
import { webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { partyPayload, salesCrmDelivery, suiteCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

type Harness = ReturnType<typeof webhookHarness>;
type Payload = Parameters<typeof partyPayload>;

const push = (harness: Harness, ...payload: Payload) => harness.take(salesCrmDelivery(partyPayload(...payload)));
const ann = { id: 8, name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee', emails: [{ value: 'ann@example.com' }] };
const later = '2026-01-15T08:00:00Z';
const outcome = async (harness: Harness) => (await harness.inbox.list({ limit: 1 }))[0]?.outcome;

describe('updated.person and updated.organization', () => {
  it('create the record in the suite CRM, and change that one from then on (REACT-002, REACT-011)', async () => {
    const harness = webhookHarness();
    await push(harness, 'person', ann);
    expect(await outcome(harness)).toBe('created suite CRM record remote-1');
    await push(harness, 'person', { ...ann, emails: [{ value: 'ann@new.example' }] }, later);
    expect(await outcome(harness)).toBe('updated suite CRM record remote-1');
    expect([...harness.directory.known.values()]).toMatchObject([
      { party: { email: 'ann@new.example', lastName: 'Lee' } },
    ]);
  });

  it('push the same data only once (REACT-011)', async () => {
    const harness = webhookHarness();
    await push(harness, 'organization', { id: 3, name: 'Acme' });
    await push(harness, 'organization', { id: 3, name: 'Acme', update_time: 'x' }, later);
    expect(harness.directory.writes).toBe(1);
    expect(await outcome(harness)).toBe('unchanged suite CRM record remote-1');
  });

  it('adopt an existing record by its e-mail address', async () => {
    const harness = webhookHarness();
    const known = { kind: 'person', firstName: 'A', lastName: 'L', email: 'ann@example.com', phone: null } as const;
    harness.directory.known.set('old-1', { party: { ...known, employer: null }, employerId: null });
    await push(harness, 'person', ann);
    expect([...harness.directory.known.keys()]).toEqual(['old-1']);
    expect(await outcome(harness)).toBe('updated suite CRM record old-1');
  });

  it('never adopt a record of another person', async () => {
    const harness = webhookHarness();
    await push(harness, 'person', { id: 1, name: 'John Smith' });
    await push(harness, 'person', { id: 2, name: 'John Smith' });
    expect(harness.directory.known.size).toBe(2);
  });

  it('overwrite nothing if they are late', async () => {
    const harness = webhookHarness();
    await push(harness, 'organization', { id: 3, name: 'New name' }, later);
    await push(harness, 'organization', { id: 3, name: 'Old name' });
    expect(await outcome(harness)).toBe('late suite CRM record remote-1');
    expect([...harness.directory.known.values()]).toMatchObject([{ party: { name: 'New name' } }]);
  });

  it('of a frozen server leave the link of the one that took over (INBOX-019)', async () => {
    const harness = webhookHarness();
    await push(harness, 'organization', { id: 3, name: 'Acme' });
    const record = { service: 'sales_crm', kind: 'organization', id: '3' };
    const newer = { record, remoteId: 'remote-1', digest: 'of the other server', appliedAt: Date.parse(later) };
    const update = harness.directory.update.bind(harness.directory);
    harness.directory.update = async (...given) => {
      await harness.partyLinks.keep(newer);
      return update(...given);
    };
    await push(harness, 'organization', { id: 3, name: 'Acme Ltd' }, later);
    expect(harness.directory.writes).toBe(2);
    expect(await harness.partyLinks.find(record)).toEqual(newer);
  });

  it('create the record again when somebody deleted it', async () => {
    const harness = webhookHarness();
    await push(harness, 'organization', { id: 3, name: 'Acme' });
    harness.directory.known.clear();
    await push(harness, 'organization', { id: 3, name: 'Acme Ltd' }, later);
    expect([...harness.directory.known.values()]).toMatchObject([{ party: { name: 'Acme Ltd' } }]);
  });

  it('link a person to the employer that was pushed before', async () => {
    const harness = webhookHarness();
    await push(harness, 'organization', { id: 3, name: 'Acme' });
    await push(harness, 'person', { ...ann, org_id: 3 });
    expect(harness.directory.known.get('remote-2')).toMatchObject({ employerId: 'remote-1' });
  });

  it('empty what was pushed before and is now sent as empty, and leave what is not sent (REACT-011)', async () => {
    const harness = webhookHarness();
    await push(harness, 'person', { ...ann, phones: [{ value: '12 34' }], org_id: null });
    await push(harness, 'person', { ...ann, phones: [], emails: [{ value: ' ' }] }, later);
    expect(harness.directory.known.get('remote-1')).toMatchObject({ party: { phone: null, email: null } });
    const { phones: _, ...silent } = { ...ann, phones: [] };
    await push(harness, 'person', { ...silent, first_name: 'Anna' }, '2026-01-16T08:00:00Z');
    expect(harness.directory.sent.get('remote-1')).toMatchObject({ party: { phone: undefined, firstName: 'Anna' } });
  });

  it('empty nothing in a record that they meet for the first time', async () => {
    const harness = webhookHarness();
    const known = { kind: 'person', firstName: 'A', lastName: 'L', email: 'ann@example.com', phone: '1' } as const;
    harness.directory.known.set('old-1', { party: { ...known, employer: null }, employerId: 'acme' });
    await push(harness, 'person', { ...ann, phones: [], org_id: null });
    expect(harness.directory.sent.get('old-1')).toMatchObject({ party: { phone: undefined }, employerId: undefined });
    await push(harness, 'person', { ...ann, phones: [], org_id: null, update_time: 'x' }, later);
    expect(harness.directory.writes).toBe(1);
  });

  it('look up an employer without an event of its own, which then counts as the oldest', async () => {
    const harness = webhookHarness();
    harness.organizations.set('3', { id: '3', name: 'Acme', address: 'Main St', website: undefined });
    await push(harness, 'person', { ...ann, org_id: { value: 3, name: 'Acme' } }, later);
    const [organization, person] = [...harness.directory.known.values()];
    expect(organization).toMatchObject({ party: { kind: 'organization', name: 'Acme', address: 'Main St' } });
    expect(person).toMatchObject({ employerId: 'remote-1' });
    await push(harness, 'organization', { id: 3, name: 'Acme Ltd' });
    expect(harness.directory.known.get('remote-1')).toMatchObject({ party: { name: 'Acme Ltd' } });
    await push(harness, 'person', { ...ann, org_id: null }, '2026-01-16T08:00:00Z');
    expect(harness.directory.known.get('remote-2')).toMatchObject({ employerId: null });
  });

  it('push a person whose employer cannot be found, and leave the known one', async () => {
    const harness = webhookHarness();
    await push(harness, 'person', { ...ann, org_id: 99 });
    expect(harness.directory.known.get('remote-1')).toMatchObject({ employerId: undefined });
  });

  it('read both forms of addresses, the primary one first, and split a name in one piece', async () => {
    const harness = webhookHarness();
    const email = [{ value: 'b@example.com' }, { value: 'a@example.com', primary: true }];
    await push(harness, 'person', { id: 9, name: 'Ann Mary Lee', email, phone: [{ value: '' }, { value: '12 34' }] });
    expect([...harness.directory.known.values()]).toMatchObject([
      { party: { firstName: 'Ann Mary', lastName: 'Lee', email: 'a@example.com', phone: '12 34' } },
    ]);
  });

  it.each(['added', 'deleted', 'merged'])('do not push %s.person', async (action) => {
    const harness = webhookHarness();
    await push(harness, 'person', ann, later, action);
    expect(harness.directory.writes).toBe(0);
  });
});

describe('an event of the suite CRM', () => {
  it.each(['Contacts', 'Accounts'])(
    'about %s has no reaction, so that no loop can arise (REACT-002)',
    async (module) => {
      const harness = webhookHarness();
      for (const operation of ['insert', 'update', 'delete']) {
        await harness.take(suiteCrmDelivery({ module, operation, ids: ['1'] }));
      }
      expect(await harness.inbox.counts()).toMatchObject({ ignored: 3, pending: 0, done: 0 });
      expect(harness.directory.writes).toBe(0);
      expect(harness.vault.paths).toEqual([]);
    },
  );
});
