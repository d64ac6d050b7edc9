import { describe, expect, it } from 'vitest';
import { homeSteps } from '#adapters/http/home/home-steps.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { serviceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';

const names = serviceNames([
  ['sales_crm', 'Sales CRM', { example: 'Which deals are open?' }],
  ['tracker', 'Tracker', { example: 'Which issues are mine?' }],
]);
const user = (...permissions: readonly ServiceKey[]): User => ({
  id: 1,
  email: 'ada@example.com',
  permissions,
  isAdmin: false,
  signedOutBefore: null,
});

const connection = (service: ServiceKey, more: Partial<Connection> = {}): Connection => ({
  service,
  authMethod: 'oauth',
  scope: null,
  state: 'connected',
  expiresAt: null,
  since: 0,
  reason: null,
  retryAt: null,
  isTeams: false,
  certificateSha256: null,
  vendor: null,
  ...more,
});

const teams = connection('vault', { isTeams: true });
const unused = { name: 'Claude Code', lastUsedAt: null };
const used = { name: 'Claude Code', lastUsedAt: 1 };

describe('the steps at home', () => {
  it.each([
    ['nothing yet', user('vault', 'tracker'), [], [], ['now', 'later', 'later']],
    [
      'the team’s vault with others that are permitted',
      user('vault', 'tracker'),
      [teams],
      [],
      ['now', 'later', 'later'],
    ],
    ['the team’s vault, and nothing else permitted', user('vault'), [teams], [], ['done', 'now', 'later']],
    ['a service of one’s own', user('tracker'), [connection('tracker')], [], ['done', 'now', 'later']],
    [
      'a service that does not work',
      user('tracker'),
      [connection('tracker', { state: 'reconnect' })],
      [],
      ['now', 'later', 'later'],
    ],
    ['an app that has not called', user('tracker'), [connection('tracker')], [unused], ['done', 'done', 'now']],
    ['an app that has called', user('tracker'), [connection('tracker')], [used], ['done', 'done', 'done']],
    ['an app before a service', user('tracker'), [], [unused], ['now', 'done', 'later']],
  ] as const)('know what is done: %s (PAGE-011)', (_, who, connections, apps, [services, assistant, trial]) => {
    expect(homeSteps(who, connections, apps, names).states).toEqual({ services, assistant, trial });
  });

  it('suggest a sentence for a service that is connected and works', () => {
    const broken = connection('sales_crm', { state: 'degraded' });
    expect(homeSteps(user('sales_crm', 'tracker'), [broken, connection('tracker')], [], names).words?.service).toBe(
      'tracker',
    );
    expect(homeSteps(user('sales_crm'), [broken], [], names).words).toBeNull();
    expect(homeSteps(user('sales_crm'), [broken], [], names).troubled).toEqual(['sales_crm']);
    const former = homeSteps(user('tracker'), [broken, connection('sales_crm')], [], names);
    expect([former.connected, former.troubled]).toEqual([[], []]);
  });
});
