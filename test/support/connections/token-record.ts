import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import type { Credentials } from '#test/support/services/operations-over.ts';

const usual: Readonly<Record<ServiceKey, AuthMethod>> = {
  sales_crm: 'personal_token',
  signing: 'api_key',
  suite_crm: 'oauth',
  tracker: 'personal_token',
  vault: 'api_key',
};

/** A record of user 1 at a service: `the-key`, in the way that the service takes keys, which does not end. */
export function tokenRecord(service: ServiceKey, more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    userId: 1,
    service,
    authMethod: usual[service] ?? 'api_key',
    accessToken: 'the-key',
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: {},
    updatedAt: 0,
    ...more,
  };
}

/** Where that one record is found, and nothing can be renewed. */
export function onlyTokens(record: TokenRecord): Credentials {
  return { find: async () => ok(record), renew: async () => err(failed('unauthorized', 'The key is wrong.')) };
}
