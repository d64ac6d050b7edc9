import { z } from 'zod';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { UsersQuery } from '#application/ports/users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { maxEmailLength } from '#domain/users/email.ts';
import { userStates } from '#domain/users/user-state.ts';

/** The parameters of /users, on a server of these services. `done` and `what` say what was done before. */
export function usersPageQuery(services: readonly ServiceKey[]) {
  return z.strictObject({
    search: z.string().max(maxEmailLength).optional(),
    state: z.enum(userStates).optional(),
    role: z.enum(['administrator', 'member']).optional(),
    permission: z.enum(services).optional(),
    after: wholeNumber(1).optional(),
    done: z.string().max(50).optional(),
    what: z.string().max(100).optional(),
  });
}

/** The parameters of `GET /api/users`. */
export function usersJsonQuery(services: readonly ServiceKey[]) {
  return usersPageQuery(services)
    .omit({ done: true, what: true })
    .extend({ limit: wholeNumber(1, maxPerAnswer).optional() });
}

/** The maximum number of users in one answer. */
export const maxPerAnswer = 200;

type Given = z.output<ReturnType<typeof usersPageQuery>>;

/** The filter of a query, without its limit. */
export function filterIn({ search, state, role, permission, after }: Given): Omit<UsersQuery, 'limit'> {
  return {
    ...(search === undefined || search.trim() === '' ? {} : { search }),
    ...(state === undefined ? {} : { state }),
    ...(role === undefined ? {} : { isAdmin: role === 'administrator' }),
    ...(permission === undefined ? {} : { permission }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The filter of a query as URL parameters, without the position in the list. */
export function listAddress({ search, state, role, permission }: Given): URLSearchParams {
  return new URLSearchParams({
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : { state }),
    ...(role === undefined ? {} : { role }),
    ...(permission === undefined ? {} : { permission }),
  });
}

/** The maximum length of a name, in characters. */
const maxName = 100;

/** Reads a name that somebody entered: in one line, at most 100 characters; null for none. */
export function givenName(text: string): string | null {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
    .trim();
  const name = Array.from(line).slice(0, maxName).join('');
  return name === '' ? null : name;
}
