import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import { isOpen, type PersonSession } from '#domain/sessions/person-session.ts';
import type { User } from '#domain/users/user.ts';

type OwnSessionsDependencies = Readonly<{
  sessions: Pick<Sessions, 'list' | 'end'>;
  clock: Clock;
  note: NoteAct;
}>;

/** The sessions in which a person is signed in, which they list and end one by one. */
export class OwnSessions {
  readonly #dependencies: OwnSessionsDependencies;

  constructor(dependencies: OwnSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists the person's open sessions, the latest first. */
  async list(user: User): Promise<readonly PersonSession[]> {
    const { sessions, clock } = this.#dependencies;
    return (await sessions.list(user.id)).filter((session) => isOpen(session, user.id, clock.now()));
  }

  /** Ends one of them on every server; false when the person has none with that id. */
  async end(user: User, id: string): Promise<boolean> {
    const { sessions, note } = this.#dependencies;
    const isEnded = await sessions.end(user.id, id);
    if (isEnded) await note({ action: 'session.ended', by: user.id, userId: user.id });
    return isEnded;
  }

  /** Ends all of them but the one that the person acts through; apps stay signed in. Returns their number. */
  async endOthers(user: User): Promise<number> {
    const others = (await this.list(user)).filter(({ id }) => id !== user.signedInBy);
    for (const { id } of others) await this.end(user, id);
    return others.length;
  }
}
