import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdentityProvider, ProviderFailure } from '#application/ports/identity-provider.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { PendingSignIn, PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import type { Random } from '#application/ports/random.ts';
import type { BeginSession, SignedIn } from '#application/session/begin-session.ts';
import type { AdmitFailure, AdmitPerson } from '#application/sign-in/admit-person.ts';
import type { ApplyGroupRights } from '#application/sign-in/apply-group-rights.ts';
import type { LinkIdentity } from '#application/sign-in/link-identity.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import { maxAuthorizeLength, signInLifetimeMs } from '#domain/sign-in/sign-in-rules.ts';
import type { User } from '#domain/users/user.ts';

/** How a sign-in is begun. `browser` identifies the browser, and `authorize` is the query of an authorization request. */
type Begin = Readonly<{ browser: string; authorize: string | null; asksWho: boolean; linksTo: User | null }>;

/** A browser that came back, with the person who is signed in in it, if any. */
type Finish = Readonly<{ browser: string; query: URLSearchParams; visitor: User | null; userAgent: string }>;

/** Why nobody was signed in or linked. */
export type SignInFailure =
  | ProviderFailure
  | AdmitFailure
  | Readonly<{ reason: 'unknown_state' | 'too_long' | 'identity_taken' }>;

/** Somebody signed in, and the authorization request that goes on; or an identity linked to the account. */
export type Finished =
  | Readonly<{ kind: 'signed-in'; signedIn: SignedIn; authorize: string | null }>
  | Readonly<{ kind: 'linked' }>;

type ProviderSignInDependencies = Readonly<{
  provider: IdentityProvider;
  pending: PendingSignIns;
  admit: AdmitPerson;
  applyRights: ApplyGroupRights;
  linkIdentity: LinkIdentity;
  beginSession: BeginSession;
  clock: Clock;
  random: Random;
  logger: Logger;
  note: NoteAct;
}>;

/** Signs people in at the identity provider (OpenID Connect), and links identities to accounts. */
export class ProviderSignIn {
  readonly #dependencies: ProviderSignInDependencies;

  constructor(dependencies: ProviderSignInDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the provider's URL to which the browser is sent. */
  async begin({ browser, authorize, asksWho, linksTo }: Begin): Promise<Result<string, SignInFailure>> {
    const { provider, pending, clock, random } = this.#dependencies;
    if ((authorize?.length ?? 0) > maxAuthorizeLength) return err({ reason: 'too_long' });
    const secrets = { state: random.token(32), nonce: random.token(32), codeVerifier: random.token(48) };
    const url = await provider.begin(secrets, { asksWho });
    if (!url.ok) return this.#failed(url.failure);
    const { state, nonce, codeVerifier } = secrets;
    const [userId, sessionId] = [linksTo?.id ?? null, linksTo?.signedInBy ?? null];
    await pending.keep(state, { browser, codeVerifier, nonce, authorize, userId, sessionId, startedAt: clock.now() });
    return url;
  }

  /**
   * Handles the browser's return. `state` is valid once, within ten minutes, in the browser that began; for a link also
   * only in the same session.
   */
  async finish({ browser, query, visitor, userAgent }: Finish): Promise<Result<Finished, SignInFailure>> {
    const { provider, pending, clock } = this.#dependencies;
    const states = query.getAll('state');
    const [state = ''] = states;
    const begun = states.length === 1 ? await pending.take(state) : null;
    const isOurs = begun !== null && equal(begun.browser, browser) && clock.now() - begun.startedAt <= signInLifetimeMs;
    if (!isOurs || !isStillSignedIn(begun, visitor)) return this.#failed({ reason: 'unknown_state' });
    const { nonce, codeVerifier, authorize } = begun;
    const person = await provider.finish({ state, nonce, codeVerifier }, query);
    if (!person.ok) return this.#failed(person.failure);
    if (begun.userId === null) return this.#signIn(person.value, { authorize, userAgent });
    const linked = visitor === null ? null : await this.#dependencies.linkIdentity.link(visitor, person.value);
    return linked?.ok === true ? ok({ kind: 'linked' }) : this.#failed({ reason: 'identity_taken' });
  }

  async #signIn(
    person: ProviderPerson,
    { authorize, userAgent }: Readonly<{ authorize: string | null; userAgent: string }>,
  ): Promise<Result<Finished, SignInFailure>> {
    const { admit, applyRights, beginSession, note } = this.#dependencies;
    const admitted = await admit.run(person);
    if (!admitted.ok) return this.#failed(admitted.failure);
    const user = await applyRights.run(admitted.value, person);
    const signedIn = await beginSession.run(user, { begunBy: 'oidc', userAgent });
    const { id } = user;
    await note({ action: 'user.signed_in_by_oidc', by: id, userId: id, subject: person.issuer, detail: person.email });
    return ok({ kind: 'signed-in', signedIn, authorize });
  }

  #failed(failure: SignInFailure): Result<never, SignInFailure> {
    this.#dependencies.logger.warn({ ...failure }, 'Nobody was signed in by the identity provider');
    return err(failure);
  }
}

/** Whether a link is finished by the person who began it, in the same session; true for a sign-in. */
function isStillSignedIn({ userId, sessionId }: PendingSignIn, visitor: User | null): boolean {
  if (userId === null) return true;
  return visitor !== null && visitor.id === userId && sessionId !== null && visitor.signedInBy === sessionId;
}
