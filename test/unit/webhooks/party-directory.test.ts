import { describe, expect, it } from 'vitest';
import { GatewayPartyDirectory } from '#adapters/services/suite-crm/ports/party-directory.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** A gateway that answers each call with the next outcome and remembers what it was asked. */
function directory(...outcomes: readonly Outcome[]) {
  const calls: unknown[] = [];
  const answers = [...outcomes];
  const call = async ({ userId, service, name, input }: Readonly<Record<string, unknown>>) => {
    calls.push({ userId, service, name, input });
    return answers.shift() ?? failed('unavailable', 'no more answers');
  };
  return { calls, directory: new GatewayPartyDirectory({ call }, 7) };
}

const person = {
  kind: 'person',
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  phone: undefined,
  employer: undefined,
} as const;
const organization = { kind: 'organization', name: 'Acme (UK)', address: 'Main St 1', website: undefined } as const;
const asked = (name: string, input: object) => ({ userId: 7, service: 'suite_crm', name, input });

describe('the suite CRM as a directory', () => {
  it('finds a person by e-mail address', async () => {
    const { calls, directory: parties } = directory(succeeded([{ id: '11' }, { id: '12' }]));
    expect(await parties.find(person)).toEqual({ ok: true, value: ['11', '12'] });
    const input = { module: 'Contacts', email: 'ann@example.com', fields: ['id'], per_page: 10 };
    expect(calls).toEqual([asked('records.search', input)]);
  });

  it('finds one without an address by name, and an organization by name', async () => {
    const { calls, directory: parties } = directory(succeeded([]), succeeded([]));
    expect(await parties.find({ ...person, email: null })).toEqual({ ok: true, value: [] });
    await parties.find(organization);
    const last = { field: 'Last_Name', operator: 'equals', value: 'Lee' };
    const first = { field: 'First_Name', operator: 'equals', value: 'Ann' };
    expect(calls).toMatchObject([
      { input: { module: 'Contacts', criteria: { all: [last, first] } } },
      { input: { module: 'Accounts', criteria: { field: 'Account_Name', operator: 'equals', value: 'Acme (UK)' } } },
    ]);
  });

  it('changes only known records, and reports when the record is gone', async () => {
    const { calls, directory: parties } = directory(succeeded({ id: '11' }), failed('not_found', 'gone'));
    expect(await parties.update('11', person, '50')).toEqual({ ok: true, value: true });
    expect(await parties.update('12', person, undefined)).toEqual({ ok: true, value: false });
    const data = { Last_Name: 'Lee', First_Name: 'Ann', Email: 'ann@example.com', Account_Name: { id: '50' } };
    expect(calls[0]).toEqual(asked('records.update', { module: 'Contacts', id: '11', data }));
  });

  it('empties what was sent as empty', async () => {
    const { calls, directory: parties } = directory(succeeded({ id: '11' }), succeeded({ id: '12' }));
    await parties.update('11', { ...person, firstName: null, phone: null }, null);
    await parties.update('12', { ...organization, address: null, website: null }, null);
    expect(calls).toMatchObject([
      {
        input: {
          data: { Last_Name: 'Lee', First_Name: null, Email: 'ann@example.com', Phone: null, Account_Name: null },
        },
      },
      { input: { data: { Account_Name: 'Acme (UK)', Billing_Street: null, Website: null } } },
    ]);
  });

  it('upserts by the unique field, and reads the id of either answer', async () => {
    const batch = succeeded([{ code: 'SUCCESS', status: 'success', action: 'insert', details: { id: '21' } }]);
    const { calls, directory: parties } = directory(batch, succeeded({ id: '22' }));
    expect(await parties.upsert(organization, undefined)).toEqual({ ok: true, value: '21' });
    expect(await parties.upsert(person, undefined)).toEqual({ ok: true, value: '22' });
    const data = [{ Account_Name: 'Acme (UK)', Billing_Street: 'Main St 1' }];
    const input = { module: 'Accounts', data, duplicate_check_fields: ['Account_Name'] };
    expect(calls[0]).toEqual(asked('records.upsert', input));
  });

  it('creates a person without a unique field', async () => {
    const { calls, directory: parties } = directory(succeeded([{ details: { id: '31' } }]));
    expect(await parties.upsert({ ...person, email: undefined }, undefined)).toEqual({ ok: true, value: '31' });
    expect(calls).toMatchObject([{ name: 'records.create', input: { module: 'Contacts' } }]);
  });

  it('returns failures, and treats an unreadable answer as one', async () => {
    const { directory: parties } = directory(failed('not_connected', 'No.'), succeeded('what?'), succeeded({ x: 1 }));
    expect(await parties.find(person)).toMatchObject({ ok: false, failure: { reason: 'not_connected' } });
    expect(await parties.find(person)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
    expect(await parties.upsert(person, undefined)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
  });
});
