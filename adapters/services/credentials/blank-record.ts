import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A connection without any data. */
export function blankRecord(service: ServiceKey): TokenRecord {
  return {
    userId: 0,
    service,
    authMethod: 'oauth',
    accessToken: '',
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: {},
    updatedAt: 0,
  };
}
