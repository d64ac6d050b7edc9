import { isActive } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** The states of an account: invited until its user has signed in or set a password, then active, or deactivated. */
export const userStates = ['invited', 'active', 'deactivated'] as const;

/** One of the states. */
export type UserState = (typeof userStates)[number];

/** Returns the state of a user's account. */
export function userStateOf(user: Pick<User, 'deactivatedAt' | 'invitedAt'>): UserState {
  if (!isActive(user)) return 'deactivated';
  return (user.invitedAt ?? null) === null ? 'active' : 'invited';
}
