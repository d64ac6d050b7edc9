import { defineEntity, p } from '@mikro-orm/core';
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

const list = z.array(z.string());
const time = z.number().int().nullish();
const rowSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  isAdmin: z.boolean(),
  permissions: z.string(),
  switchedOff: z.string().nullish(),
  signedOutBefore: time,
  deactivatedAt: time,
  timeZone: z.string().nullish(),
});

/** Where users are stored. */
export const userPlace = { table: 'users', keys: ['id'] } as const;

/** Converts the row to a user; throws when it does not fit. */
export function toUser(raw: unknown): User {
  const { permissions, switchedOff, ...row } = rowSchema.parse(raw);
  const { id, email, isAdmin, signedOutBefore, deactivatedAt, timeZone } = row;
  const off = list.parse(JSON.parse(switchedOff ?? '[]'));
  return {
    id,
    email,
    permissions: list.parse(JSON.parse(permissions)),
    isAdmin,
    signedOutBefore: signedOutBefore ?? null,
    ...(typeof deactivatedAt === 'number' ? { deactivatedAt } : {}),
    ...(typeof timeZone === 'string' ? { timeZone } : {}),
    ...(off.length === 0 ? {} : { switchedOff: off }),
  };
}
