import type { Users } from '#application/ports/users.ts';
import { guestUserId, type User } from '#domain/users/user.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/**
 * The message for a user without permission for any service, with whom to ask. Null for users with a permission, and
 * for the guest, who signs in. An administrator's address is included only where it can receive mail.
 */
export async function whomToAsk(user: User, users: Pick<Users, 'page'>): Promise<string | null> {
  if (user.permissions.length > 0 || user.id === guestUserId) return null;
  const what = 'You have no permission for any service yet.';
  if (user.isAdmin) return `${what} Give yourself one on the server: ${commandLine('user')} permit ${user.email} vault`;
  const admin = await administratorToAsk(users);
  return `${what} Ask an administrator of this server${admin === null ? '' : `, ${admin}`}.`;
}

/** The e-mail of an active administrator who can receive mail; null when there is none. */
export async function administratorToAsk(users: Pick<Users, 'page'>): Promise<string | null> {
  const admins = await users.page({ isAdmin: true, state: 'active', limit: 10 });
  return admins.find(({ email }) => !email.endsWith('@localhost'))?.email ?? null;
}
