import { randomBytes } from 'node:crypto';
import type { Container } from 'inversify';
import type { ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Users } from '#application/ports/users.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/**
 * The result of adding the first user; `madePassword` is the generated password, to be printed once; null when none was
 * generated, and where passwords are not taken.
 */
type FirstUser = Readonly<{ madePassword: string | null }>;

/** What it needs. */
type FirstUserDependencies = Readonly<{
  users: Pick<Users, 'page' | 'add'>;
  passwords: Pick<Passwords, 'hash'>;
  turns: Pick<ServerTurns, 'run'>;
}>;

/** Takes that from a server's container. */
export const firstUserParts = (container: Container): FirstUserDependencies => ({
  users: container.get(tokens.users),
  passwords: container.get(tokens.passwords),
  turns: container.get(tokens.serverTurns),
});

/**
 * Adds the first user, with all permissions, when there are no users (SET-008, SET-020). Of servers that start at the same
 * time one does, while the others wait: a user that is refused takes an id, and reactions use that of the first one by default.
 */
export async function addFirstUser(settings: Settings, dependencies: FirstUserDependencies): Promise<FirstUser> {
  const { users, turns } = dependencies;
  const areThere = async () => (await users.page({ limit: 1 })).length > 0;
  if (await areThere()) return { madePassword: null };
  return turns.run('the first user', async () =>
    (await areThere()) ? { madePassword: null } : addUser(settings, dependencies),
  );
}

async function addUser(settings: Settings, { users, passwords }: FirstUserDependencies): Promise<FirstUser> {
  const madePassword = settings.ADMIN_PASSWORD === undefined ? randomBytes(12).toString('base64url') : null;
  const passwordHash = await passwords.hash(madePassword ?? settings.ADMIN_PASSWORD ?? '');
  const added = await users.add({
    email: settings.ADMIN_EMAIL,
    passwordHash,
    permissions: settings.services.map(({ service }) => service.key),
    isAdmin: true,
  });
  // A command may have added it meanwhile.
  return { madePassword: added.ok && settings.PASSWORDS ? madePassword : null };
}
