import { randomBytes } from 'node:crypto';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Users } from '#application/ports/users.ts';
import type { Settings } from '#bootstrap/config/settings.ts';

/**
 * The result of adding the first user; `madePassword` is the generated password, to be printed once; null when none was
 * generated, and where passwords are not taken.
 */
type FirstUser = Readonly<{ madePassword: string | null }>;

/** Adds the first user, with all permissions, when there are no users (SET-008, SET-020). */
export async function addFirstUser(settings: Settings, users: Users, passwords: Passwords): Promise<FirstUser> {
  if ((await users.page({ limit: 1 })).length > 0) return { madePassword: null };
  const madePassword = settings.ADMIN_PASSWORD === undefined ? randomBytes(12).toString('base64url') : null;
  const passwordHash = await passwords.hash(madePassword ?? settings.ADMIN_PASSWORD ?? '');
  const added = await users.add({
    email: settings.ADMIN_EMAIL,
    passwordHash,
    permissions: settings.services.map(({ service }) => service.key),
    isAdmin: true,
  });
  // Another process that started at the same time may have added it first.
  return { madePassword: added.ok && settings.PASSWORDS ? madePassword : null };
}
