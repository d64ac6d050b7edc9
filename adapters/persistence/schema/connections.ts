import { z } from 'zod';
import { authMethods } from '#domain/tokens/token-record.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The credentials of connections (CONN-001, CONN-013). Both tokens are encrypted. */
export const ConnectionRow = table(
  'outbound_tokens',
  {
    id: column.whole().primary().autoincrement(),
    updatedAt: column.whole(),
    userId: column.whole(),
    service: column.text(),
    authMethod: column.oneOf(authMethods),
    accessToken: column.text(),
    refreshToken: column.text().nullable(),
    scope: column.text().nullable(),
    expiresAt: column.whole().nullable(),
    extra: column.json(z.record(z.string(), z.unknown())),
  },
  ['userId', 'service'],
);
