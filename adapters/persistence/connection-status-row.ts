import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The table `connection_standings`. */
export const ConnectionStatusRow = defineEntity({
  name: 'ConnectionStatusRow',
  tableName: 'connection_standings',
  properties: {
    userId: p.bigint('number').primary(),
    service: p.text().primary(),
    state: p.text(),
    since: p.bigint('number'),
    reason: p.text().nullable(),
    refusedAt: p.bigint('number').nullable(),
    refusedProbes: p.bigint('number').nullable(),
    probeAt: p.bigint('number').nullable(),
  },
});

/** A row of `connection_standings`. */
export type ConnectionStatusColumns = InferEntity<typeof ConnectionStatusRow>;
