import type { Sessions } from '#application/ports/sessions.ts';
import type { User } from '#domain/users/user.ts';

/** Ends the session by which a person is signed in, and with it every copy of its cookie. */
export class SignOut {
  readonly #sessions: Pick<Sessions, 'end'>;

  constructor(sessions: Pick<Sessions, 'end'>) {
    this.#sessions = sessions;
  }

  /** Ends the session; no-op for one from before sessions were stored. */
  async run({ id, signedInBy }: User): Promise<void> {
    if (signedInBy !== undefined) await this.#sessions.end(id, signedInBy);
  }
}
