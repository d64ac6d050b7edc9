import { expect, it } from 'vitest';
import { statusTextOf } from '#adapters/http/connections/connection-status-text.ts';

it('a connection whose permission was taken is said to be no longer permitted, whatever its state (PAGE-008)', () => {
  const connection = {
    service: 'sales_crm',
    authMethod: 'oauth',
    scope: null,
    expiresAt: null,
    since: 0,
    reason: null,
    retryAt: null,
    isTeams: false,
    certificateSha256: null,
    vendor: null,
  } as const;
  const user = { isAdmin: false, name: 'Sales CRM' };
  for (const state of ['connected', 'reconnect', 'degraded'] as const) {
    const labelFor = (mayConnect: boolean) =>
      statusTextOf({ ...connection, state }, null, { ...user, mayConnect }).label;
    expect(labelFor(false)).toBe('No longer permitted');
    expect(labelFor(true)).not.toBe('No longer permitted');
  }
});
