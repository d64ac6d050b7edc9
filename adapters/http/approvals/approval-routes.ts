import { z } from 'zod';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import {
  type ApprovalShowing,
  approvalAsItem,
  outcomeAsJson,
  reactionAsItem,
  shownApproval,
  shownReaction,
} from '#adapters/http/approvals/approval-pages.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { DecideApproval, Decided } from '#application/approvals/decide-approval.ts';
import type { ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { type Approval, maxComment } from '#domain/changes/approval.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

type ApprovalRoutesDependencies = Readonly<{
  approvals: Pick<DecideApproval, 'waiting' | 'decided' | 'change' | 'run'>;
  floor: ApprovalFloor;
  catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  formGuard: FormGuard;
  /** The name of an operation as people write it. */
  nameOf: ApprovalShowing['nameOf'];
  /** For how many days decided changes are kept; 0 for as long as apps may ask for their outcome. */
  keptDays: number;
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

/**
 * Serves what waits for a person's decision: the page /approvals, its form, and the same as JSON below /api/approvals
 * (ASK-013, ASK-014, ASK-020, PAGE-034, PAGE-035).
 */
export function approvalRoutes(dependencies: ApprovalRoutesDependencies): readonly Route[] {
  const { approvals, formGuard } = dependencies;
  const show = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const showing = showingFor(user, dependencies);
    const { changes, reactions, areReactionsRead, next } = await approvals.waiting(user, afterIn(ctx));
    // What is listed is newer than what was counted before.
    ctx.state.waiting = Math.max(ctx.state.waiting ?? 0, changes.length + reactions.length);
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'approvals', {
      approvals: changes.map((one) => shownApproval(one, showing)),
      reactions: reactions.map((one) => shownReaction(one, showing)),
      areReactionsRead,
      more: next === null ? null : `/approvals?after=${next}`,
      maxComment,
      hidden: hiddenFor(ctx, formGuard, purpose),
    });
  };
  const showDecided = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const showing = showingFor(user, dependencies);
    const filter = filterIn(ctx) ?? 'decided';
    const { changes, next } = await approvals.decided(user, { states: filters[filter], after: afterIn(ctx) });
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'approvals-decided', {
      approvals: changes.map((one) => shownApproval(one, showing)),
      tabs: tabs.map(([state, text]) => ({ text, href: decidedPage(state), isCurrent: state === filter })),
      more: next === null ? null : decidedPage(filter, next),
      keptDays: Math.max(1, dependencies.keptDays),
    });
  };
  const showOne = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const found = await approvals.change(user, parameterOf(ctx, 'id'));
    ctx.set('Cache-Control', 'no-store');
    if (found === null) return showMessage(ctx, 404, unknownPage);
    showPage(ctx, 'approval', {
      one: shownApproval(found, showingFor(user, dependencies)),
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
      ? await decide(userOf(ctx), parameterOf(ctx, 'id'), { given: given.data, approvals })
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
    const filter = filterIn(ctx);
    if (filter !== null) {
      const found = await approvals.decided(user, { states: filters[filter], after: afterIn(ctx) });
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { data: found.changes.map((one) => approvalAsItem(one, showing)), next: found.next };
      return;
    }
    const { changes, reactions, areReactionsRead, next } = await approvals.waiting(user, afterIn(ctx));
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      data: [
        ...changes.map((one) => approvalAsItem(one, showing)),
        ...reactions.map((one) => reactionAsItem(one, showing)),
      ],
      reactions_read: areReactionsRead,
      next,
    };
  };
  const one = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const found = await approvals.change(user, parameterOf(ctx, 'id'));
    ctx.set('Cache-Control', 'no-store');
    if (found === null) return sendFailure(ctx, failed('not_found', unknownPage.text));
    ctx.body = approvalAsItem(found, showingFor(user, dependencies));
  };
  const decideByJson = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, decisionSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const decided = await decide(userOf(ctx), parameterOf(ctx, 'id'), { given: given.value, approvals });
    if (!decided.ok) return sendFailure(ctx, decided.failure);
    const { outcome, ...state } = decided.value;
    ctx.body = { ...state, ...(outcome === null ? {} : { outcome: outcomeAsJson(outcome) }) };
  };
  const route = { who: 'person' } as const;
  return [
    { ...route, method: 'GET', path: '/approvals', body: 'none', run: show },
    { ...route, method: 'GET', path: '/approvals/decided', body: 'none', run: showDecided },
    { ...route, method: 'GET', path: '/approvals/:id', body: 'none', run: showOne },
    { ...route, method: 'POST', path: '/approvals/:id', body: 'form', run: genuine(formGuard, purpose, decideByForm) },
    { ...route, method: 'GET', path: '/api/approvals', body: 'none', hasQuery: true, run: list },
    { ...route, method: 'GET', path: '/api/approvals/:id', body: 'none', run: one },
    { ...route, method: 'POST', path: '/api/approvals/:id', body: 'json', run: decideByJson },
  ];
}

/** What was decided, by the word of a filter. */
const filters = {
  decided: ['allowed', 'running', 'done', 'refused'],
  allowed: ['allowed', 'running', 'done'],
  refused: ['refused'],
} as const satisfies Readonly<Record<string, readonly Approval['state'][]>>;
type Filter = keyof typeof filters;

const tabs: readonly (readonly [Filter, string])[] = [
  ['decided', 'All'],
  ['allowed', 'Allowed'],
  ['refused', 'Refused'],
];

const unknownPage = {
  title: 'No such approval',
  text: 'You have no approval with that id. It may have ended, or be another user’s.',
  link: { href: '/approvals', text: 'Approvals' },
};

/** The filter of what was decided; null for what waits. */
function filterIn(ctx: RouteContext): Filter | null {
  return tabs.find(([state]) => state === ctx.query['state'])?.[0] ?? null;
}

function decidedPage(state: Filter, after: string | null = null): string {
  const fields = new URLSearchParams({
    ...(state === 'decided' ? {} : { state }),
    ...(after === null ? {} : { after }),
  });
  return `/approvals/decided${fields.size === 0 ? '' : `?${fields.toString()}`}`;
}

/** The id after which the page begins; null for the first. */
function afterIn(ctx: RouteContext): string | null {
  const { after } = ctx.query;
  return typeof after === 'string' ? after : null;
}

function showingFor(user: User, { catalog, floor, nameOf, now }: ApprovalRoutesDependencies): ApprovalShowing {
  const isFloor: ApprovalShowing['isFloor'] = (service, effect) => floor.asks(service, effect);
  const { names, operations } = catalog;
  return { names, operations, isFloor, nameOf, reader: timeReader(user, now()), now: now() };
}

async function decide(
  user: User,
  id: string,
  { given, approvals }: Readonly<{ given: Given; approvals: ApprovalRoutesDependencies['approvals'] }>,
): Promise<Result<Decided, Failure>> {
  const { decision, comment = '', always = false } = given;
  const text = comment.trim();
  return approvals.run(user, id, {
    isAllowed: decision === 'allow',
    comment: text === '' ? null : text,
    isAlways: always,
  });
}

/** Why a change that was allowed was not made; null when it was, or when it waits for the app's upload. */
function failureIn(outcome: Outcome | null): Failure | null {
  return outcome === null || outcome.ok ? null : outcome;
}
