import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Random } from '#application/ports/random.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import { type AppGrant, grantIdBytes, isLive, isPersonal, personalClientId } from '#domain/oauth/app-grant.ts';
import { chooseGrant, fullScope, type GrantChoice, scopeOf } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { issuedFor } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The longest time for which a personal token is valid, in days. */
export const maxTokenDays = 30;
/** The maximum number of a user's personal tokens at one time. */
export const maxTokens = 50;

const dayMs = 86_400_000;

type PersonalTokensDependencies = Readonly<{
  grants: Pick<Grants, 'keep' | 'list' | 'remove'>;
  tokens: Pick<SessionTokens, 'seal'>;
  random: Random;
  clock: Clock;
  note: NoteAct;
  /** The services of this server, and the audience of its tokens; null for none. */
  services: readonly ServiceKey[];
  audience: string | null;
}>;

/** What a user wants a token for: its name, what it may do, and for how many days, from 1 to 30. */
export type TokenRequest = Readonly<{ name: string; choice: GrantChoice; days: number }>;

/** A new token and its grant. The token is not stored and cannot be had again. */
export type CreatedToken = Readonly<{ grant: AppGrant; token: string }>;

/**
 * The personal tokens that users make for scripts of theirs. Each is an access token with a grant, as those of apps are:
 * listed with them, bound by what was chosen, revocable, and never a person's session.
 */
export class PersonalTokens {
  readonly #dependencies: PersonalTokensDependencies;

  constructor(dependencies: PersonalTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists the user's tokens that are valid, the latest first. */
  async list(user: User): Promise<readonly AppGrant[]> {
    const { grants, clock } = this.#dependencies;
    const now = clock.now();
    return (await grants.list(user.id)).filter((grant) => isPersonal(grant) && isLive(grant, user, now));
  }

  /** Creates a token. Fails when no service was chosen that the user may use, and when there are too many tokens. */
  async create(
    user: User,
    { name, choice, days }: TokenRequest,
  ): Promise<Result<CreatedToken, Readonly<{ reason: 'no_service' | 'too_many' }>>> {
    const { grants, tokens, random, clock, services, audience, note } = this.#dependencies;
    const chosen = chooseGrant(user, choice, services);
    if (!chosen.ok) return chosen;
    if ((await this.list(user)).length >= maxTokens) return err({ reason: 'too_many' });
    const since = issuedFor(user, clock.now());
    const scope = scopeOf(chosen.value, services);
    const grant: AppGrant = {
      id: random.token(grantIdBytes),
      userId: user.id,
      clientId: personalClientId,
      clientName: name,
      scope: scope ?? fullScope,
      switchedOff: [],
      ask: null,
      since,
      lastUsedAt: null,
      expiresAt: since + days * dayMs,
    };
    await grants.keep(grant);
    const token = await tokens.seal({
      userId: user.id,
      issuedAt: since,
      grantId: grant.id,
      ...(scope === null ? {} : { scope }),
      ...(audience === null ? {} : { audience }),
    });
    await note({ action: 'token.created', by: user.id, userId: user.id, subject: grant.id, detail: name });
    return ok({ grant, token });
  }

  /** Ends a token of the user on every server; false when they have none with that id. */
  async end(user: User, id: string): Promise<boolean> {
    const { grants, note } = this.#dependencies;
    const found = (await this.list(user)).find((grant) => grant.id === id);
    if (found === undefined || !(await grants.remove(user.id, id))) return false;
    await note({ action: 'token.ended', by: user.id, userId: user.id, subject: id, detail: found.clientName });
    return true;
  }
}
