import { z } from 'zod';
import { authMethods } from '#domain/tokens/token-record.ts';
import { json, oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The credentials of connections (CONN-001, CONN-013). Both tokens are encrypted. */
export const ConnectionRow = table(
  'outbound_tokens',
  {
    id: whole().primary().autoincrement(),
    updatedAt: whole(),
    userId: whole(),
    service: text(),
    authMethod: oneOf(authMethods),
    accessToken: text(),
    refreshToken: text().nullable(),
    scope: text().nullable(),
    expiresAt: whole().nullable(),
    extra: json(z.record(z.string(), z.unknown())),
  },
  ['userId', 'service'],
);
