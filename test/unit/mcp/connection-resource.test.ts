import { describe, expect, it } from 'vitest';
import { connectionResource } from '#adapters/mcp/resources/connection-resource.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { guest, type User } from '#domain/users/user.ts';
import { contextOf } from '#test/support/mcp/mcp-context.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';

const connection = (service: ServiceKey, state: ConnectionState, reason: string | null = null): Connection => ({
  service,
  authMethod: 'oauth',
  scope: 'read',
  state,
  expiresAt: null,
  since: 1,
  reason,
  retryAt: null,
  isTeams: false,
  certificateSha256: null,
  vendor: null,
});
const known = [
  connection('vault', 'connected'),
  connection('sales_crm', 'reconnect', 'The provider refused the refresh token.'),
  connection('signing', 'unchecked'),
  connection('tracker', 'degraded', 'The provider could not be reached.'),
];
const uri = 'portolan://connections';
const source = connectionResource(async ({ id }) => (id === 7 ? known : []), {
  baseUrl: 'https://portolan.example.com',
  names: neutralNames,
});
const read = async (user: User) => {
  const [contents] = (await source.read(contextOf(user), uri)) ?? [];
  return contents !== undefined && 'text' in contents ? JSON.parse(contents.text) : null;
};

describe('the resource of connections', () => {
  it('shows the status of each service, why it does not work, and where to fix it', async () => {
    expect(await read({ ...guest, id: 7, permissions: serviceKeys })).toEqual({
      connections: [
        {
          service: 'sales_crm',
          title: 'Sales CRM',
          state: 'reconnect',
          reason: 'The provider refused the refresh token.',
        },
        { service: 'signing', title: 'Signing service', state: 'unchecked' },
        { service: 'suite_crm', title: 'Suite CRM', state: 'none' },
        { service: 'tracker', title: 'Tracker', state: 'degraded', reason: 'The provider could not be reached.' },
        { service: 'vault', title: 'Vault', state: 'connected' },
      ],
      connectUrl: 'https://portolan.example.com/page',
    });
  });

  it('shows only the services that the user may use, and the user’s own connections', async () => {
    const { connections } = await read({ ...guest, id: 8, permissions: ['vault'] });
    expect(connections).toEqual([{ service: 'vault', title: 'Vault', state: 'none' }]);
    expect((await read(guest)).connections).toEqual([]);
  });

  it('is JSON at one address, and no other address exists', async () => {
    const context = contextOf(guest);
    expect(await source.list(context, null)).toMatchObject({ entries: [{ uri, mimeType: 'application/json' }] });
    expect(await source.read(context, `${uri}/7`)).toBeNull();
  });
});
