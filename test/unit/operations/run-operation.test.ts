import { beforeEach, describe, expect, it } from 'vitest';
import { RunOperation } from '#application/operations/run-operation.ts';
import { underScope } from '#domain/oauth/grant.ts';
import { guest, type User } from '#domain/users/user.ts';
import { FakeGateway, fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';
import { answeredBy } from '#test/support/services/operations-over.ts';

const ann: User = { ...guest, id: 7, permissions: ['tracker', 'vault'] };
let gateway: FakeGateway;
beforeEach(() => {
  gateway = new FakeGateway();
});

const run = (user: User, service: User['permissions'][number], name: string) =>
  new RunOperation({ ...answeredBy(gateway), catalog: fakeCatalog }).run(user, { service, name, input: {} });
const reached = () => gateway.calls.map(({ userId, service, name }) => [userId, service, name]);

describe('running an operation', () => {
  it('calls the service for a user who is permitted', async () => {
    await run(ann, 'vault', 'notes.delete');
    expect(reached()).toEqual([[7, 'vault', 'notes.delete']]);
  });

  it('is forbidden without the permission key, and says who grants it (OP-001, USER-003)', async () => {
    expect(await run(ann, 'sales_crm', 'deals.list')).toMatchObject({
      ok: false,
      reason: 'forbidden',
      message: expect.stringContaining('An administrator can grant the permission key `sales_crm`'),
    });
    expect(reached()).toEqual([]);
  });
});

describe('running an operation with a restricted access token', () => {
  const onlyVault = underScope('sales_crm vault', ann, serviceKeys);
  const onlyReading = underScope('*:read', ann, serviceKeys);

  it('is forbidden in a service that was not granted, and says that its user can change that', async () => {
    expect(await run(onlyVault, 'tracker', 'teams.list')).toMatchObject({
      ok: false,
      reason: 'forbidden',
      message: expect.stringMatching(/not given the Tracker.*on the page \/apps.*authorize the app again/),
    });
    expect(reached()).toEqual([]);
  });

  it('does not promise what an administrator would have to grant', async () => {
    const { message } = { message: '', ...(await run(onlyVault, 'sales_crm', 'deals.list')) };
    expect(message).toContain('An administrator can grant');
    expect(reached()).toEqual([]);
  });

  it('reads and changes in a service that was granted', async () => {
    await run(onlyVault, 'vault', 'notes.read');
    await run(onlyVault, 'vault', 'notes.delete');
    expect(reached()).toEqual([
      [7, 'vault', 'notes.read'],
      [7, 'vault', 'notes.delete'],
    ]);
  });

  it.each(['notes.delete', 'commands.run', 'not in the catalog'])(
    'changes nothing when it may only read: %s',
    async (name) => {
      expect(await run(onlyReading, 'vault', name)).toMatchObject({
        ok: false,
        reason: 'forbidden',
        message: expect.stringMatching(/may only read the Vault.*on the page \/apps.*authorize the app again/),
      });
      expect(reached()).toEqual([]);
    },
  );

  it('reads when it may only read, also operations without a tool', async () => {
    await run(onlyReading, 'vault', 'notes.read');
    await run(onlyReading, 'vault', 'hidden');
    expect(reached()).toEqual([
      [7, 'vault', 'notes.read'],
      [7, 'vault', 'hidden'],
    ]);
  });
});
