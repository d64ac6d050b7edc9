import type { NoteAct } from '#application/audit/audit.ts';
import type { AllowedOperations, ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Users } from '#application/ports/users.ts';
import type { ReactionApprovals, WaitingReaction } from '#application/reactions/reaction-approvals.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import { type Approval, approvalLifetimeMs } from '#domain/changes/approval.ts';
import { mayAlwaysBeAllowed } from '#domain/changes/ask-policy.ts';
import { isObject } from '#domain/json/json-data.ts';
import { actingUnder } from '#domain/oauth/acting-under.ts';
import { isLive } from '#domain/oauth/app-grant.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** A person's decision. `isAlways`: the app may do this without asking from now on. */
export type Decision = Readonly<{ isAllowed: boolean; comment: string | null; isAlways: boolean }>;

/** What a decision came to: the approval's state then, and the outcome of a change that was made. */
export type Decided = Readonly<{ id: string; state: Approval['state']; outcome: Outcome | null }>;

/**
 * What waits for a person: changes of apps, the latest first, and for administrators reactions, on the first page. `next`
 * is the id after which the next page begins; null on the last.
 */
export type WaitingApprovals = Readonly<{
  changes: readonly Approval[];
  reactions: readonly WaitingReaction[];
  /** Whether these are all reactions that wait; false while their notes are read for the first time since the start. */
  areReactionsRead: boolean;
  next: string | null;
}>;

/** How many changes a page has: each may have up to 1 MB. */
const changesPerPage = 25;

/** Makes a change that its user allowed, as the app that asked for it; with `asked.undoOf`, takes that one back. */
export type RunAllowed = (
  user: User,
  call: OperationCall,
  allowed: Pick<Approval, 'id' | 'digest' | 'at'>,
) => Promise<Outcome>;

type DecideApprovalDependencies = Readonly<{
  approvals: Approvals;
  allowed: Pick<AllowedOperations, 'keep'>;
  floor: ApprovalFloor;
  grants: Pick<Grants, 'find'>;
  users: Pick<Users, 'find'>;
  run: RunAllowed;
  /** Null on a server with built-in reactions only. */
  reactions: Pick<ReactionApprovals, 'waiting' | 'isRead' | 'count' | 'decide'> | null;
  services: readonly ServiceKey[];
  clock: Clock;
  note: NoteAct;
  /** Called when an approval was decided, or waits again. */
  onApproval?: (approval: Pick<Approval, 'id' | 'userId' | 'grantId'>) => void;
}>;

const reactionPrefix = 'reaction:';

/** The id of a reaction among approvals: it names the version. */
export function reactionApprovalId({ digest }: Readonly<{ digest: string }>): string {
  return `${reactionPrefix}${digest}`;
}

/**
 * Lists what waits for a person, and does or drops each as they decide, once: changes of apps, and for administrators the
 * reactions that call services or read their events.
 */
export class DecideApproval {
  readonly #dependencies: DecideApprovalDependencies;

  constructor(dependencies: DecideApprovalDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists what waits for the user, a page at a time: those after the one with the id `after`, or the first. */
  async waiting({ id: userId, isAdmin }: User, after: string | null = null): Promise<WaitingApprovals> {
    const { approvals, clock, reactions } = this.#dependencies;
    const last = after === null ? null : await approvals.find(after);
    const before = last?.userId === userId ? { before: { at: last.at, id: last.id } } : {};
    const found = await approvals.list({ userId, isWaiting: true, ...before, limit: changesPerPage + 1 });
    const open = found.filter(({ expiresAt }) => clock.now() < expiresAt);
    const changes = open.slice(0, changesPerPage);
    const shown = isAdmin && Object.keys(before).length === 0 ? reactions : null;
    return {
      changes,
      reactions: shown === null ? [] : await shown.waiting(),
      areReactionsRead: shown === null || shown.isRead,
      next: open.length > changesPerPage ? (changes.at(-1)?.id ?? null) : null,
    };
  }

  /** Lists the changes that the user decided, in one of these states, the latest asked first, a page at a time. */
  async decided(
    { id: userId }: User,
    { states, after }: Readonly<{ states: readonly Approval['state'][]; after: string | null }>,
  ): Promise<Readonly<{ changes: readonly Approval[]; next: string | null }>> {
    const { approvals } = this.#dependencies;
    const last = after === null ? null : await approvals.find(after);
    const before = last?.userId === userId ? { before: { at: last.at, id: last.id } } : {};
    const found = await approvals.list({ userId, states, ...before, limit: changesPerPage + 1 });
    const changes = found.slice(0, changesPerPage);
    return { changes, next: found.length > changesPerPage ? (changes.at(-1)?.id ?? null) : null };
  }

  /** Returns a change that an app asked the user about, decided or not; null when there is none of that id. */
  async change({ id: userId }: User, id: string): Promise<Approval | null> {
    const found = await this.#dependencies.approvals.find(id);
    return found?.userId === userId ? found : null;
  }

  /** Counts what waits for the user. */
  async count({ id: userId, isAdmin }: User): Promise<number> {
    const { approvals, clock, reactions } = this.#dependencies;
    const { ofUser } = await approvals.waiting({ userId, grantId: '', now: clock.now() });
    return isAdmin && reactions !== null ? ofUser + (await reactions.count()) : ofUser;
  }

  /**
   * Decides one of the person's own. What they allow is made before this returns, over the app's grant and the rights
   * and connection of this moment; with a stream it is made by the app's next call. Administrators decide on reactions.
   * Fails with `not_found`, `expired`, or `conflict` for one that was decided.
   */
  async run(person: User, id: string, decision: Decision): Promise<Result<Decided, Failure>> {
    if (id.startsWith(reactionPrefix)) return this.#decideReaction(person, id, decision);
    const { isAllowed, comment, isAlways } = decision;
    const { approvals, clock } = this.#dependencies;
    const found = await approvals.find(id);
    if (found === null || found.userId !== person.id) return err(unknown);
    const now = clock.now();
    if (now >= found.expiresAt) return err(ended);
    const acting = isAllowed ? await this.#actingFor(person, found) : null;
    if (acting?.ok === false) return err(acting.failure);
    const state = !isAllowed ? 'refused' : carriesStream(found) ? 'allowed' : 'running';
    const isMoved = await approvals.move(id, 'waiting', { state, decidedAt: now, ...(isAllowed ? {} : { comment }) });
    if (!isMoved) return err(decided);
    await this.#note(found, isAllowed ? 'approval.allowed' : 'approval.refused');
    const outcome = acting === null || state === 'allowed' ? null : await this.#make(acting.value, found);
    if (isAllowed && isAlways) await this.#allowAlways(found);
    this.#dependencies.onApproval?.(found);
    const after = await approvals.find(id);
    return ok({ id, state: after?.state ?? state, outcome });
  }

  async #decideReaction(
    { id: userId, isAdmin, email: by }: User,
    id: string,
    { isAllowed, comment }: Decision,
  ): Promise<Result<Decided, Failure>> {
    const { reactions } = this.#dependencies;
    if (!isAdmin || reactions === null) return err(unknown);
    const made = await reactions.decide(id.slice(reactionPrefix.length), { isAllowed, by, comment });
    if (!made.ok) return made;
    const action = isAllowed ? 'reaction.allowed' : 'reaction.refused';
    await this.#dependencies.note({ action, by: userId, subject: made.value });
    return ok({ id, state: isAllowed ? 'done' : 'refused', outcome: null });
  }

  /** The user as the app acts for them now; fails when the app was revoked. */
  async #actingFor(person: User, { grantId, userId }: Approval): Promise<Result<User, Failure>> {
    const { grants, users, services, clock } = this.#dependencies;
    const [grant, user] = [await grants.find(grantId), await users.find(userId)];
    const isThere = grant !== null && user !== null && grant.userId === person.id && isActive(user);
    if (!isThere || !isLive(grant, user, clock.now())) return err(revoked);
    return ok(actingUnder({ ...grant, ask: null }, user, services));
  }

  async #make(user: User, { id, digest, at, service, operation, content }: Approval): Promise<Outcome> {
    const { explain, undoOf, input } = content;
    const asked = { ...(explain === null ? {} : { explain }), ...(undoOf === null ? {} : { undoOf }) };
    const call = { service, name: operation, input, asked };
    const { run, approvals, clock } = this.#dependencies;
    const outcome = await run(user, call, { id, digest, at });
    const waitsAgain = !outcome.ok && outcome.reason === 'approval_required';
    // What was refused before it was planned, such as for a right that is gone, ends here.
    if (!waitsAgain) await approvals.end(id, outcome, clock.now() + approvalLifetimeMs);
    return outcome;
  }

  async #allowAlways(approval: Approval): Promise<void> {
    const { userId, grantId, service, operation, effect } = approval;
    const { allowed, floor, clock } = this.#dependencies;
    if (!mayAlwaysBeAllowed(effect) || floor.asks(service, effect)) return;
    await allowed.keep({ userId, grantId, service, operation, at: clock.now() });
    await this.#note(approval, 'approval.always_allowed');
  }

  async #note({ userId, app, service, operation }: Approval, action: AuditAction): Promise<void> {
    const { note } = this.#dependencies;
    await note({ action, by: userId, userId, subject: `${service} ${operation}`, detail: app });
  }
}

function carriesStream({ content: { input } }: Approval): boolean {
  return (
    isObject(input) && Object.values(input).some((value) => isObject(value) && typeof value['stream'] === 'string')
  );
}

const unknown = failed('not_found', 'You have no approval with that id.');
const ended = failed('expired', 'It has ended without a decision; the app can ask again.');
const decided = failed('conflict', 'It was decided already.');
const revoked = failed('forbidden', 'The app that asked for this was revoked, or has to sign in again.');
