import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Identities } from '#application/ports/identities.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { identityIdOf } from '#domain/sign-in/identity.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import type { User } from '#domain/users/user.ts';

type LinkIdentityDependencies = Readonly<{
  identities: Identities;
  users: Pick<Users, 'change'>;
  sessions: Pick<Sessions, 'find'>;
  clock: Clock;
  /** Whether people can sign in by a password. */
  takesPasswords: boolean;
  note: NoteAct;
}>;

/** The ways to begin a session that show that its person has a password. */
const byPassword: readonly string[] = ['login', 'welcome'];

/** Links identities of the identity provider to the account of the person who is signed in, and unlinks them. */
export class LinkIdentity {
  readonly #dependencies: LinkIdentityDependencies;

  constructor(dependencies: LinkIdentityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Links the identity; it may be the user's already. */
  async link(user: User, person: ProviderPerson): Promise<Result<void, Readonly<{ reason: 'identity_taken' }>>> {
    const { identities, users, clock, note } = this.#dependencies;
    const { issuer, email } = person;
    const [id, now] = [identityIdOf(person), clock.now()];
    const isNew = await identities.link({ id, userId: user.id, issuer, email, linkedAt: now, lastUsedAt: null });
    if (!isNew && (await identities.find(id))?.userId !== user.id) return err({ reason: 'identity_taken' });
    if ((user.invitedAt ?? null) !== null) await users.change(user.id, { invitedAt: null });
    if (isNew) await note({ action: 'user.linked', by: user.id, userId: user.id, subject: issuer, detail: email });
    return ok(undefined);
  }

  /** Unlinks an identity, unless it is the last way in: another one stays, or this session was begun by a password. */
  async unlink(
    user: User,
    id: string,
  ): Promise<Result<void, Readonly<{ reason: 'unknown_identity' | 'last_way_in' }>>> {
    const { identities, note } = this.#dependencies;
    const all = await identities.list(user.id);
    const identity = all.find((each) => each.id === id);
    if (identity === undefined) return err({ reason: 'unknown_identity' });
    if (all.length === 1 && !(await this.#hasPassword(user))) return err({ reason: 'last_way_in' });
    if (!(await identities.unlink(user.id, id))) return err({ reason: 'unknown_identity' });
    const { issuer, email } = identity;
    await note({ action: 'user.unlinked', by: user.id, userId: user.id, subject: issuer, detail: email });
    return ok(undefined);
  }

  async #hasPassword({ signedInBy }: User): Promise<boolean> {
    const { sessions, takesPasswords } = this.#dependencies;
    const session = takesPasswords && signedInBy !== undefined ? await sessions.find(signedInBy) : null;
    return session !== null && byPassword.includes(session.begunBy);
  }
}
