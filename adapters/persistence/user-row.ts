import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import type { User } from '#domain/users/user.ts';

/** The table `users`. `emailKey` is the e-mail without regard to case; `permissions` is a JSON list. */
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
  },
});

const permissionsSchema = z.array(z.string());

/** Converts the row to a user. */
export function toUser(row: InferEntity<typeof UserRow>): User {
  const { id, email, isAdmin, signedOutBefore } = row;
  const permissions = permissionsSchema.parse(JSON.parse(row.permissions));
  return { id, email, permissions, isAdmin, signedOutBefore: signedOutBefore ?? null };
}
