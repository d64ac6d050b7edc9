import { expect, it } from 'vitest';
import { GatewayOrganizations } from '#adapters/services/sales-crm/ports/organizations.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const asked: unknown[] = [];
const find = (outcome: Outcome, id = '3') =>
  new GatewayOrganizations(
    {
      call: async (call) => {
        asked.push(call);
        return outcome;
      },
    },
    async () => 7,
  ).find({ service: 'sales_crm', kind: 'organization', id });

it('the lookup finds an organization by its id, as the automation user (REACT-009)', async () => {
  const data = { id: 3, name: 'Acme', address: { value: 'Main St 1' }, website: null };
  const organization = { id: '3', name: 'Acme', address: 'Main St 1', website: null };
  expect(await find(succeeded(data))).toEqual({ ok: true, value: organization });
  expect(asked).toEqual([{ userId: 7, service: 'sales_crm', name: 'organizations.get', input: { id: 3 } }]);
});

it('the lookup returns null for one that does not exist or has no numeric id, and returns failures', async () => {
  expect(await find(failed('not_found', 'none'))).toEqual({ ok: true, value: null });
  expect(await find(succeeded({}), 'x/../y')).toEqual({ ok: true, value: null });
  expect(await find(failed('unavailable', 'away'))).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
});
