import type { Users } from '#application/ports/users.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** The user over whose connections deliveries, reactions and webhooks work: `AUTOMATION_USER_ID`. */
export class AutomationUser {
  readonly id: number;
  readonly #users: Pick<Users, 'find'>;

  constructor(id: number, users: Pick<Users, 'find'>) {
    this.id = id;
    this.#users = users;
  }

  /** Returns the user; null when there is none with that id. */
  find(): Promise<User | null> {
    return this.#users.find(this.id);
  }

  /** Returns why the work over their connections waits, as a sentence; null while it does not (REACT-013). */
  async reasonToWait(): Promise<string | null> {
    const user = await this.find();
    if (user !== null && isActive(user)) return null;
    const who =
      user === null
        ? `The automation user ${this.id} does not exist.`
        : `The automation user, ${user.email}, is deactivated.`;
    return `${who} Deliveries, reactions and webhooks wait until AUTOMATION_USER_ID names an active user.`;
  }
}
