import { askedEffects } from '#application/approvals/approval-floors.ts';
import { UserTurns } from '#application/approvals/user-turns.ts';
import type { AllowedOperations, ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Differences } from '#application/ports/differences.ts';
import type { Random } from '#application/ports/random.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import {
  type Approval,
  approvalIdBytes,
  approvalLifetimeMs,
  maxApprovalContent,
  maxRunMs,
  maxWaitingOfApp,
  maxWaitingOfUser,
} from '#domain/changes/approval.ts';
import { isAskedBefore, mustBeAllowed } from '#domain/changes/ask-policy.ts';
import { digestOfChange, digestOfJson } from '#domain/changes/change-digest.ts';
import { differenceText } from '#domain/changes/difference-text.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { confirmFirst, type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of asking. */
export type AskApprovalDependencies = Readonly<{
  approvals: Approvals;
  allowed: Pick<AllowedOperations, 'list'>;
  floor: ApprovalFloor;
  differences: Differences;
  clock: Clock;
  random: Random;
  baseUrl: string;
  /** Called when an approval begins to wait. */
  onApproval?: (approval: Pick<Approval, 'id' | 'userId' | 'grantId'>) => void;
}>;

/** A change that a person allowed: it is made only as long as its digest is that of what they saw. */
export type AllowedChange = Pick<Approval, 'id' | 'digest' | 'at'>;

/** What a person may have to be asked about. */
export type AskedAbout = Readonly<{ service: ServiceKey; name: string; effect: Effect }>;

/** Asks persons before the changes of apps, and tells apps what became of their questions. */
export class AskApproval {
  readonly #dependencies: AskApprovalDependencies;
  /** Users are asked one question after another, so that the same one is asked once, and no limit is passed. */
  readonly #turns = new UserTurns();

  constructor(dependencies: AskApprovalDependencies) {
    this.#dependencies = dependencies;
  }

  /** The question to the user, where one has to be asked; null to go on. */
  async question(user: User, call: OperationCall, plan: PlannedChange): Promise<Outcome | null> {
    return (await this.mustAsk(user, { ...call, effect: plan.effect })) ? this.ask(user, call, plan) : null;
  }

  /** Whether something of what an app does may have to be asked at all; false answers it for most calls. */
  mayAsk({ app }: User, services: readonly ServiceKey[]): boolean {
    const { floor } = this.#dependencies;
    if (app === undefined) return false;
    const isFloor = services.some((service) => askedEffects.some((effect) => floor.asks(service, effect)));
    return isFloor || (app.ask ?? 'never') !== 'never';
  }

  /** Asks the user about a change: returns the question as the call's outcome. It counts as asked at `now` (Unix ms). */
  async ask(
    user: User,
    call: OperationCall,
    plan: PlannedChange,
    now: number = this.#dependencies.clock.now(),
  ): Promise<Outcome> {
    const { app } = user;
    if (app === undefined || app.grantId === null) return unknownApp;
    const { grantId, name } = app;
    // Nobody is asked about a record that is not there.
    if (plan.missing !== undefined) return plan.missing;
    const content = this.#contentOf(call, plan);
    if (JSON.stringify(content).length > maxApprovalContent) return tooLarge;
    return this.#turns.run(user.id, () => this.#ask(user.id, { grantId, name, now }, { call, plan, content }));
  }

  async #ask(
    userId: number,
    { grantId, name, now }: Readonly<{ grantId: string; name: string | null; now: number }>,
    { call, plan, content }: Readonly<{ call: OperationCall; plan: PlannedChange; content: Approval['content'] }>,
  ): Promise<Outcome> {
    const { approvals, random } = this.#dependencies;
    const digest = digestOf(call, plan);
    const same = await approvals.list({ userId, isWaiting: true, digest, limit: maxWaitingOfUser });
    const known = same.find((one) => one.grantId === grantId && now < one.expiresAt);
    if (known !== undefined) return this.#required(known);
    const counts = await approvals.waiting({ userId, grantId, now });
    if (counts.ofApp >= maxWaitingOfApp) return tooMany(`${maxWaitingOfApp} changes of this app`);
    if (counts.ofUser >= maxWaitingOfUser) return tooMany(`${maxWaitingOfUser} changes`);
    const approval: Approval = {
      id: random.token(approvalIdBytes),
      userId,
      grantId,
      app: name,
      service: call.service,
      operation: call.name,
      effect: plan.effect,
      at: now,
      expiresAt: now + approvalLifetimeMs,
      state: 'waiting',
      decidedAt: null,
      digest,
      inputDigest: inputDigestOf(call),
      content,
      comment: null,
      outcome: null,
    };
    const kept = await approvals.keep(approval);
    if (kept.id === approval.id) this.#dependencies.onApproval?.(approval);
    return this.#required(kept);
  }

  /**
   * What the client's user has to confirm first, in place of a person at `/approvals`: null to go on, since the change
   * loses nothing and reaches nobody, or is the one that they confirmed.
   */
  confirmation(call: OperationCall, plan: PlannedChange): Outcome | null {
    const { confirmed } = call.asked ?? {};
    if (confirmed === undefined || !isAskedBefore(plan.effect)) return null;
    if (plan.missing !== undefined) return plan.missing;
    const digest = digestOf(call, plan);
    if (digest === confirmed) return null;
    const { differences, effect, irreversible } = plan;
    const text = [differenceText(this.#dependencies.differences.shown(differences)), irreversible ?? []].flat();
    return confirmFirst({ digest, effect, text: text.join('\n') });
  }

  /** Whether a person must be asked before an app does this. */
  async mustAsk({ id, app }: User, { service, name, effect }: AskedAbout): Promise<boolean> {
    if (app === undefined) return false;
    const { floor, allowed } = this.#dependencies;
    const isFloor = floor.asks(service, effect);
    const policy = { choice: app.ask ?? null, isFloor, isAlwaysAllowed: false };
    if (!mustBeAllowed(effect, policy)) return false;
    if (isFloor) return true;
    const isSame = (one: Readonly<{ grantId: string; service: string; operation: string }>) =>
      one.grantId === app.grantId && one.service === service && one.operation === name;
    const isAlwaysAllowed = (await allowed.list(id)).some(isSame);
    return mustBeAllowed(effect, { ...policy, isAlwaysAllowed });
  }

  #contentOf({ input, asked }: OperationCall, { differences, irreversible }: PlannedChange): Approval['content'] {
    return {
      input: storable(input),
      undoOf: asked?.undoOf ?? null,
      differences: this.#dependencies.differences.shown(differences),
      explain: asked?.explain ?? null,
      irreversible,
    };
  }

  /** Lets a change go on that a person allowed, as long as it is what they saw; else it waits again. */
  async again(call: OperationCall, plan: PlannedChange, allowed: AllowedChange): Promise<Outcome | null> {
    const digest = digestOf(call, plan);
    if (digest === allowed.digest) return null;
    const { approvals, clock } = this.#dependencies;
    const expiresAt = clock.now() + approvalLifetimeMs;
    const content = this.#contentOf(call, plan);
    await approvals.renew(allowed.id, { digest, effect: plan.effect, expiresAt, content });
    return this.#required({ id: allowed.id, expiresAt }, changedSince);
  }

  /**
   * Returns what became of a question, as the outcome of a call that names it; or the change that its user allowed and
   * that needed the call's stream, which is claimed: it is made now, and `end` is called.
   */
  async outcomeOrClaim(user: User, call: OperationCall, id: string): Promise<Result<AllowedChange, Outcome>> {
    const { approvals, clock } = this.#dependencies;
    const found = await approvals.find(id);
    const isOwn = found !== null && found.userId === user.id && found.grantId === (user.app?.grantId ?? null);
    if (!isOwn) return err(unknownApproval);
    const isSameCall = found.service === call.service && found.operation === call.name;
    if (!isSameCall || found.inputDigest !== inputDigestOf(call)) return err(otherInputs);
    const now = clock.now();
    if (found.state !== 'allowed' || now >= found.expiresAt) return err(this.#outcomeOf(found));
    const isClaimed = await approvals.move(id, 'allowed', { state: 'running', decidedAt: now });
    return isClaimed ? ok(found) : err(beingMade);
  }

  /** Ends a change that was allowed with its outcome, unless it waits again. */
  async end(id: string, outcome: Outcome): Promise<void> {
    const { approvals, clock } = this.#dependencies;
    const waitsAgain = !outcome.ok && outcome.reason === 'approval_required';
    if (!waitsAgain) await approvals.end(id, outcome, clock.now() + approvalLifetimeMs);
  }

  /** What is known of a change that a person was asked about. */
  #outcomeOf(approval: Approval): Outcome {
    const { state, expiresAt, outcome, comment, decidedAt } = approval;
    const now = this.#dependencies.clock.now();
    if (now >= expiresAt) return expired;
    switch (state) {
      case 'waiting':
      case 'allowed':
        return this.#required(approval);
      case 'refused':
        return declined(comment);
      case 'running':
        return (decidedAt ?? 0) + maxRunMs < now ? unknownEnd : beingMade;
      case 'done':
        return outcome ?? unknownEnd;
    }
  }

  #required({ id, expiresAt }: Pick<Approval, 'id' | 'expiresAt'>, message = mustAllow): Failure {
    const url = `${this.#dependencies.baseUrl}/approvals/${id}`;
    return { ...failed('approval_required', message), approval: { id, url, expiresAt } };
  }
}

function digestOf({ service, name, input }: OperationCall, plan: PlannedChange): string {
  const { state, account } = plan;
  // A stream cannot be compared; the input as given names it.
  return digestOfChange({ service, operation: name, input: [storable(plan.input), storable(input)], state, account });
}

/** The digest of what the app gave: the input, or which change is taken back. */
function inputDigestOf({ input, asked }: OperationCall): string {
  return digestOfJson([storable(asked?.given ?? input), asked?.undoOf ?? null]);
}

/** The input as JSON: of a file that is a stream its name, type and size. */
export function storable(input: unknown): unknown {
  if (!isObject(input)) return input ?? {};
  const entries = Object.entries(input).map(([name, value]) => {
    if (!isFileContent(value)) return [name, value] as const;
    return [name, { stream: value.name, media_type: value.mediaType, size: value.size }] as const;
  });
  return Object.fromEntries(entries);
}

const mustAllow = 'A person has to allow this first.';
const changedSince = 'The record has changed since the user was asked, and nothing was done: they are asked again.';
const unknownApproval = failed('not_found', 'There is no approval with this id for this app.');
const otherInputs = failed(
  'invalid_input',
  'This approval is for another call: give it with exactly the inputs that the user was asked about.',
);
const expired = failed('expired', 'The approval has ended without a decision, or its outcome is no longer kept.');
const beingMade = failed('unavailable', 'The change is being made: ask for the outcome again.', {
  retryAfterMs: 1_000,
});
const unknownEnd = failed('unavailable', 'The change was allowed; whether it was made is not known.', {
  sent: 'unknown',
});
const tooLarge = failed(
  'too_large',
  'This change is too large to ask the user about: make smaller ones, or send the file as an upload.',
);
const unknownApp = failed(
  'forbidden',
  'The user has to be asked before this, and this app signed in before apps were stored: it has to sign in again.',
);
const tooMany = (what: string): Failure =>
  failed('rate_limited', `${what} wait for a decision already: ask the user to decide.`, { retryAfterMs: 60_000 });
const declined = (comment: string | null): Failure =>
  failed(
    'declined',
    `The user refused this, and nothing was changed.${comment === null ? '' : ` They wrote: ${comment}`}`,
  );
