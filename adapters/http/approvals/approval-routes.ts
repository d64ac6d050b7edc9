import { z } from 'zod';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import {
  type ApprovalShowing,
  approvalAsItem,
  isReactionId,
  shownApproval,
  waitingReactions,
} from '#adapters/http/approvals/approval-pages.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { DecideApproval, Decision } from '#application/approvals/decide-approval.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { ManageReactions } from '#application/reactions/manage-reactions.ts';
import { maxComment } from '#domain/changes/approval.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

type ApprovalRoutesDependencies = Readonly<{
  approvals: Pick<DecideApproval, 'waiting' | 'run'>;
  /** Null on a server with built-in reactions only. */
  reactions: Pick<ManageReactions, 'list' | 'allow'> | null;
  floor: ApprovalFloor;
  catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  formGuard: FormGuard;
  note: NoteAct;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const purpose = 'approval';
const decisionSchema = z.strictObject({
  decision: z.enum(['allow', 'refuse']),
  comment: z.string().max(maxComment).optional(),
  always: z.boolean().optional(),
});

type Given = z.output<typeof decisionSchema>;

/** What a decision came to; the outcome is that of a change that was made. */
type Decided = Readonly<{ id: string; state: string; outcome: Outcome | null }>;

/**
 * Serves what waits for a person's decision: the page /approvals, its form, and the same as JSON below /api/approvals
 * (ASK-013, ASK-014). Administrators also decide on reactions there.
 */
export function approvalRoutes(dependencies: ApprovalRoutesDependencies): readonly Route[] {
  const { approvals, formGuard } = dependencies;
  const show = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const showing = showingFor(user, dependencies);
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'approvals', {
      approvals: (await approvals.waiting(user)).map((one) => shownApproval(one, showing)),
      reactions: await reactionsFor(user, dependencies),
      pageOf: (path: string) => `/reactions/one?path=${encodeURIComponent(path)}`,
      maxComment,
      hidden: hiddenFor(ctx, formGuard, purpose),
    });
  };
  const decideByForm = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const given = decisionSchema.safeParse({
      decision: fieldOf(fields, 'decision') === 'always' ? 'allow' : fieldOf(fields, 'decision'),
      comment: fieldOf(fields, 'comment'),
      always: fieldOf(fields, 'decision') === 'always',
    });
    const decided = given.success
      ? await decide(userOf(ctx), parameterOf(ctx, 'id'), { given: given.data, dependencies })
      : err(failed('invalid_input', `Choose Allow or Refuse; a comment has at most ${maxComment} characters.`));
    const failure = decided.ok ? failureIn(decided.value.outcome) : decided.failure;
    if (failure === null) return seeOther(ctx, '/approvals');
    showMessage(ctx, statusOfFailure[failure.reason], {
      title: 'This was not done',
      text: failure.message,
      link: { href: '/approvals', text: 'Approvals' },
    });
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const showing = showingFor(user, dependencies);
    const changes = (await approvals.waiting(user)).map((one) => approvalAsItem(one, showing));
    const reactions = (await reactionsFor(user, dependencies)).map(({ id, path, calls, reads }) => ({
      id,
      kind: 'reaction',
      path,
      calls,
      reads,
    }));
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { data: [...changes, ...reactions] };
  };
  const decideByJson = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, decisionSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const decided = await decide(userOf(ctx), parameterOf(ctx, 'id'), { given: given.value, dependencies });
    if (!decided.ok) return sendFailure(ctx, decided.failure);
    const { outcome, ...state } = decided.value;
    ctx.body = { ...state, ...(outcome === null ? {} : { outcome: outcomeAsJson(outcome) }) };
  };
  const route = { who: 'person' } as const;
  return [
    { ...route, method: 'GET', path: '/approvals', body: 'none', run: show },
    { ...route, method: 'POST', path: '/approvals/:id', body: 'form', run: genuine(formGuard, purpose, decideByForm) },
    { ...route, method: 'GET', path: '/api/approvals', body: 'none', run: list },
    { ...route, method: 'POST', path: '/api/approvals/:id', body: 'json', run: decideByJson },
  ];
}

function showingFor(user: User, { catalog, floor, now }: ApprovalRoutesDependencies): ApprovalShowing {
  const isFloor: ApprovalShowing['isFloor'] = (service, effect) => floor.asks(service, effect);
  return { ...catalog, isFloor, reader: timeReader(user, now()) };
}

/** The reactions that wait; only administrators have them. */
async function reactionsFor({ isAdmin }: User, { reactions }: ApprovalRoutesDependencies) {
  return isAdmin && reactions !== null ? waitingReactions(await reactions.list()) : [];
}

async function decide(
  user: User,
  id: string,
  { given, dependencies }: Readonly<{ given: Given; dependencies: ApprovalRoutesDependencies }>,
): Promise<Result<Decided, Failure>> {
  if (isReactionId(id)) return decideReaction(user, id, { given, dependencies });
  const { decision, comment = '', always = false } = given;
  const text = comment.trim();
  const made: Decision = { isAllowed: decision === 'allow', comment: text === '' ? null : text, isAlways: always };
  const decided = await dependencies.approvals.run(user, id, made);
  if (!decided.ok) return decided;
  const { approval, outcome } = decided.value;
  return ok({ id, state: approval.state, outcome });
}

async function decideReaction(
  user: User,
  id: string,
  { given, dependencies }: Readonly<{ given: Given; dependencies: ApprovalRoutesDependencies }>,
): Promise<Result<Decided, Failure>> {
  const waiting = (await reactionsFor(user, dependencies)).find((one) => one.id === id);
  if (waiting === undefined) return err(failed('not_found', 'You have no approval with that id.'));
  if (given.decision === 'refuse') {
    return err(
      failed('invalid_input', 'A reaction that is not allowed calls nothing: change or delete its note instead.'),
    );
  }
  const isAllowed = await dependencies.reactions?.allow(waiting.path, waiting.digest, user.email);
  if (isAllowed !== true) return err(failed('conflict', 'The note has changed since it was shown. Read it again.'));
  await dependencies.note({ action: 'reaction.allowed', by: user.id, subject: waiting.path });
  return ok({ id, state: 'done', outcome: null });
}

/** Why a change that was allowed was not made; null when it was, or when it waits for the app's upload. */
function failureIn(outcome: Outcome | null): Failure | null {
  return outcome === null || outcome.ok ? null : outcome;
}

function outcomeAsJson(outcome: Outcome) {
  return outcome.ok ? { ok: true } : { ok: false, reason: outcome.reason, message: outcome.message };
}
