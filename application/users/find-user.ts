import type { Users } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { nearest } from '#domain/text/nearest.ts';
import type { User } from '#domain/users/user.ts';

/** The failure for an unknown e-mail; `near` are similar e-mails, for administrators only. */
export type UnknownEmail = Readonly<{ reason: 'unknown_email'; near: readonly string[] }>;

/** Finds the user with the e-mail, case-insensitively. */
export async function findUser(users: Users, email: string): Promise<Result<User, UnknownEmail>> {
  const found = await users.findByEmail(email);
  if (found !== null) return ok(found.user);
  const emails = (await users.list()).map((user) => user.email);
  return err({ reason: 'unknown_email', near: nearest(email, emails) });
}
