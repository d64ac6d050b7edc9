import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import type { User } from '#domain/users/user.ts';

/** The table `users`. `emailKey` is the case-folded e-mail; `permissions` and `switchedOff` are JSON lists. */
export const UserRow = defineEntity({
  name: 'UserRow',
  tableName: 'users',
  properties: {
    id: p.bigint('number').primary(),
    email: p.text(),
    emailKey: p.text().unique(),
    passwordHash: p.text(),
    permissions: p.text(),
    isAdmin: p.boolean(),
    signedOutBefore: p.bigint('number').nullable(),
    deactivatedAt: p.bigint('number').nullable(),
    timeZone: p.text().nullable(),
    switchedOff: p.text().nullable(),
  },
});

const listSchema = z.array(z.string());

/** Converts the row to a user. */
export function toUser(row: InferEntity<typeof UserRow>): User {
  const { id, email, isAdmin, signedOutBefore, deactivatedAt, timeZone } = row;
  const permissions = listSchema.parse(JSON.parse(row.permissions));
  const switchedOff = listSchema.parse(JSON.parse(row.switchedOff ?? '[]'));
  return {
    id,
    email,
    permissions,
    isAdmin,
    signedOutBefore: signedOutBefore ?? null,
    ...(typeof deactivatedAt === 'number' ? { deactivatedAt } : {}),
    ...(typeof timeZone === 'string' ? { timeZone } : {}),
    ...(switchedOff.length === 0 ? {} : { switchedOff }),
  };
}
