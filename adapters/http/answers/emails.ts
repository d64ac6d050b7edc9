import type { Users } from '#application/ports/users.ts';

/**
 * The e-mails of the users of a list, each looked up once however long the list is. Users who were deleted are not found.
 */
export class Emails {
  readonly #users: Pick<Users, 'findAll'>;
  readonly #known = new Map<number, string | null>();

  constructor(users: Pick<Users, 'findAll'>) {
    this.#users = users;
  }

  /** Looks up the users of these ids, as far as that was not done before; returns the e-mails of all so far, null for nobody. */
  async with(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string | null>> {
    const missing = new Set(ids.filter((id) => id !== null).filter((id) => !this.#known.has(id)));
    const found = await this.#users.findAll([...missing]);
    for (const id of missing) this.#known.set(id, null);
    for (const { id, email } of found) this.#known.set(id, email);
    return this.#known;
  }
}
