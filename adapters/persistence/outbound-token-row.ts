import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The table `outbound_tokens` (CONN-001, CONN-013). Both token columns are encrypted. */
export const OutboundTokenRow = defineEntity({
  name: 'OutboundTokenRow',
  tableName: 'outbound_tokens',
  uniques: [{ properties: ['userId', 'service'] }],
  properties: {
    id: p.bigint('number').primary(),
    updatedAt: p.bigint('number'),
    userId: p.bigint('number'),
    service: p.text(),
    authMethod: p.text(),
    accessToken: p.text(),
    refreshToken: p.text().nullable(),
    scope: p.text().nullable(),
    expiresAt: p.bigint('number').nullable(),
    extra: p.text(),
  },
});

/** A row of `outbound_tokens`. */
export type OutboundToken = InferEntity<typeof OutboundTokenRow>;
