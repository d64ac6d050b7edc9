import type { Users } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { nearest } from '#domain/text/nearest.ts';
import type { User } from '#domain/users/user.ts';

/** Nobody has the e-mail; `near` are e-mails that it may have been meant to be, for administrators only. */
export type UnknownEmail = Readonly<{ reason: 'unknown_email'; near: readonly string[] }>;

/** The user with the e-mail, in any case of letters. */
export async function findUser(users: Users, email: string): Promise<Result<User, UnknownEmail>> {
  const found = await users.findByEmail(email);
  if (found !== null) return ok(found.user);
  const emails = (await users.list()).map((user) => user.email);
  return err({ reason: 'unknown_email', near: nearest(email, emails) });
}
