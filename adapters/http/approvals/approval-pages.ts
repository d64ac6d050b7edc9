import { plainDifferences } from '#adapters/http/answers/shown-differences.ts';
import { type ShownTime, shownTime, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { reactionApprovalId } from '#application/approvals/decide-approval.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { WaitingReaction } from '#application/reactions/reaction-approvals.ts';
import type { Approval } from '#domain/changes/approval.ts';
import { mayAlwaysBeAllowed } from '#domain/changes/ask-policy.ts';
import { differenceAsJson } from '#domain/changes/shown-difference.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { isOfProgram, programTexts } from '#domain/programs/program-names.ts';
import type { ReactionCall } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** What approvals are shown with: the operations' titles, the services' names, and whether an administrator asks. */
export type ApprovalShowing = Readonly<{
  operations: OperationCatalog['operations'];
  names: ServiceNames;
  isFloor: (service: string, effect: Effect) => boolean;
  /** The name of an operation as people write it. */
  nameOf: (operation: Readonly<{ service: string; name: string }>) => string;
  reader: TimeReader;
  /** Now, in Unix ms. */
  now: number;
}>;

/** What an effect means to a person. */
const consequences: Readonly<Record<Effect, string>> = {
  read: 'Changes nothing',
  add: 'Adds something',
  change: 'Changes something',
  lose: 'Deletes or overwrites something',
  reach: 'Sends something to other people',
};

/** What became of a change, as a word and a sentence; null while it waits. */
function endOf({ state, outcome, comment, expiresAt }: Approval, now: number) {
  switch (state) {
    case 'waiting':
      return expiresAt <= now ? { label: 'Expired', kind: 'plain', text: 'Nobody decided in time.' } : null;
    case 'refused':
      return { label: 'Refused', kind: 'plain', text: comment === null ? null : `Your comment: ${comment}` };
    case 'allowed':
      return { label: 'Allowed', kind: 'info', text: 'The app makes it when it sends its file again.' };
    case 'running':
      return { label: 'Allowed', kind: 'info', text: 'It is being made, or how it ended is unknown.' };
    case 'done':
      if (outcome?.ok === true) return { label: 'Made', kind: 'good', text: null };
      return { label: 'Not made', kind: 'bad', text: outcome?.message ?? null };
  }
}

/** Builds the values of a change for the pages below /approvals. */
export function shownApproval(approval: Approval, showing: ApprovalShowing) {
  const { id, app, service, effect, content, at, expiresAt, decidedAt } = approval;
  const { names, reader, isFloor } = showing;
  const time = (ms: number): ShownTime => shownTime(ms, reader.timeZone);
  return {
    id,
    title: titleOf(approval, showing),
    app: shownClientName(app ?? ''),
    service: isOfProgram(approval) ? programTexts.service : names.of(service),
    consequence: consequences[effect],
    isBad: effect === 'lose' || effect === 'reach',
    differences: plainDifferences(content.differences),
    explain: content.explain,
    irreversible: content.irreversible,
    at: time(at),
    expires: time(expiresAt),
    end: endOf(approval, showing.now),
    decided: decidedAt === null ? null : time(decidedAt),
    href: `/approvals/${id}`,
    canAlways: mayAlwaysBeAllowed(effect) && !isFloor(service, effect),
  };
}

function titleOf({ service, operation, content }: Approval, { operations }: ApprovalShowing): string {
  const info: OperationInfo | undefined = operations.find((one) => one.service === service && one.name === operation);
  const title = isOfProgram({ service, operation }) ? programTexts.title : (info?.title ?? operation);
  return content.undoOf === null ? title : `Takes back: ${title}`;
}

/** An approval as JSON; times are ISO 8601. */
export function approvalAsItem(approval: Approval, showing: ApprovalShowing) {
  const { id, app, grantId, service, operation, effect, state, at, expiresAt, content, decidedAt, outcome } = approval;
  const decided =
    decidedAt === null ? {} : { decided_at: new Date(decidedAt).toISOString(), decided_by: approval.userId };
  return {
    id,
    kind: 'change',
    app,
    app_id: grantId,
    service,
    operation,
    title: titleOf(approval, showing),
    effect,
    state,
    changes: content.differences.map(differenceAsJson),
    explain: content.explain,
    can_be_taken_back: content.irreversible === null,
    ...(content.irreversible === null ? {} : { why_not: content.irreversible }),
    at: new Date(at).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    ...decided,
    ...(approval.comment === null ? {} : { comment: approval.comment }),
    ...(outcome === null ? {} : { outcome: outcomeAsJson(outcome) }),
  };
}

/** The outcome of a change that was allowed, as JSON. */
export function outcomeAsJson(outcome: Outcome) {
  return outcome.ok ? { ok: true } : { ok: false, reason: outcome.reason, message: outcome.message };
}

/** Builds the values of the page /approvals for a reaction. */
export function shownReaction({ reaction, closed }: WaitingReaction, { nameOf }: Pick<ApprovalShowing, 'nameOf'>) {
  const { path, calls } = reaction;
  return {
    id: reactionApprovalId(reaction),
    path,
    href: `/reactions/one?path=${encodeURIComponent(path)}`,
    calls: calls.map((call) => callText(call, 2, nameOf)),
    reads: closed.join(', '),
  };
}

/** A reaction that waits as JSON. */
export function reactionAsItem({ reaction, closed }: WaitingReaction, { nameOf }: Pick<ApprovalShowing, 'nameOf'>) {
  const { path, calls } = reaction;
  const id = reactionApprovalId(reaction);
  return { id, kind: 'reaction', path, calls: calls.map((call) => callText(call, 0, nameOf)), reads: closed };
}

/** A call as text: the operation, by the name that `nameOf` gives it, and its input as JSON. */
export function callText(
  { input, ...operation }: ReactionCall,
  indent: number,
  nameOf: (operation: Pick<ReactionCall, 'service' | 'name'>) => string,
): string {
  return `${nameOf(operation)} ${JSON.stringify(input, null, indent)}`;
}
