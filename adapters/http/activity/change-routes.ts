import { z } from 'zod';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { plainDifferences } from '#adapters/http/answers/shown-differences.ts';
import { shownTime } from '#adapters/http/answers/shown-time.ts';
import { shownClientName, shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { TakeBack } from '#application/changes/take-back.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { KeptSummary } from '#application/ports/kept-changes.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { KeptChange } from '#domain/changes/kept-change.ts';
import { isPartlyTakenBack, type UndoState, undoStateOf } from '#domain/changes/undo-state.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import { visibleText } from '#domain/shared/visible-text.ts';
import type { User } from '#domain/users/user.ts';

type ChangeRoutesDependencies = Readonly<{
  takeBack: Pick<TakeBack, 'find' | 'parts' | 'run'>;
  log: Pick<ActivityLog, 'list'>;
  catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  formGuard: FormGuard;
  note: NoteAct;
  now: () => number;
}>;

const purpose = 'take-back';
const back = { href: '/activity', text: 'Activity' };
const asked = z.strictObject({ force: z.boolean().default(false), dry: z.boolean().default(false) });

/** The address of the page of a kept change. */
export const changePage = (id: string): string => `/activity/change?id=${encodeURIComponent(id)}`;

const stateTexts: Readonly<Record<UndoState, string>> = {
  possible: 'Can be taken back',
  taken_back: 'Taken back',
  impossible: 'Cannot be taken back',
  running: 'Being made',
};

/** Returns the state of a change in words, for people. */
export function changeStateText(summary: KeptSummary, now: number): string {
  return isPartlyTakenBack(summary) ? 'Partly taken back' : stateTexts[undoStateOf(summary, now)];
}

/** Shows people what an app changed for them, and takes it back (UNDO-054, UNDO-055). */
export function changeRoutes(dependencies: ChangeRoutesDependencies): readonly Route[] {
  const { takeBack, formGuard, note } = dependencies;
  const noted = (user: User, id: string) =>
    note({ action: 'change.taken_back', by: user.id, userId: user.id, subject: id });
  const show = async (ctx: RouteContext): Promise<void> => {
    const { id } = ctx.query;
    const found = await takeBack.find(userOf(ctx), typeof id === 'string' ? id : '');
    if (found.ok) return showChange(ctx, found.value, { dependencies, outcome: null });
    const parts = await takeBack.parts(userOf(ctx), typeof id === 'string' ? id : '');
    if (parts.length === 0) showMissing(ctx, found.failure);
    else showProgram(ctx, String(id), { parts, dependencies, outcome: null });
  };
  const undo = async (ctx: RouteContext): Promise<void> => {
    const [user, fields] = [userOf(ctx), formFields(ctx)];
    const [id, isForced] = [fieldOf(fields, 'id') ?? '', fieldOf(fields, 'force') === 'true'];
    const outcome = await takeBack.run(user, id, { isForced });
    if (outcome.ok) await noted(user, id);
    // What it left as it is, is said on this page only.
    if (outcome.ok && outcome.warnings === undefined) return seeOther(ctx, changePage(id));
    const found = await takeBack.find(user, id);
    if (found.ok) return showChange(ctx, found.value, { dependencies, outcome });
    const parts = await takeBack.parts(user, id);
    if (parts.length === 0) showMissing(ctx, found.failure);
    else showProgram(ctx, id, { parts, dependencies, outcome });
  };
  const json = async (ctx: RouteContext): Promise<void> => {
    const body = checkedBody(ctx, asked);
    if (!body.ok) return sendFailure(ctx, body.failure);
    const { force: isForced, dry: isDry } = body.value;
    const id = await keptIdOf(ctx, dependencies.log);
    const outcome = await takeBack.run(userOf(ctx), id, { isForced, asked: isDry ? { isDry } : {} });
    if (!outcome.ok) return sendFailure(ctx, outcome);
    if (!isDry) await noted(userOf(ctx), id);
    ctx.body = { data: isDry ? outcome.data : { id, taken_back: true, ...warningsOf(outcome) } };
  };
  const route = { who: 'person', body: 'none' } as const;
  const form = genuine(formGuard, purpose, undo);
  return [
    { ...route, method: 'GET', path: '/activity/change', run: show },
    { ...route, method: 'POST', path: '/activity/change', body: 'form', run: form },
    { ...route, method: 'POST', path: '/api/activity/:id/undo', body: 'json', run: json },
  ];
}

/** The id of the kept change that the path names: its own, or that of an activity entry, which is a number. */
async function keptIdOf(ctx: RouteContext, log: Pick<ActivityLog, 'list'>): Promise<string> {
  const id = parameterOf(ctx, 'id');
  if (!/^[1-9]\d{0,14}$/.test(id)) return id;
  const [entry] = await log.list({ userId: userOf(ctx).id, before: Number(id) + 1, limit: 1 });
  return entry?.id === Number(id) ? (entry.keptId ?? '') : '';
}

function showChange(
  ctx: RouteContext,
  change: KeptChange,
  { dependencies, outcome }: Readonly<{ dependencies: ChangeRoutesDependencies; outcome: Outcome | null }>,
): void {
  const { catalog, formGuard, now } = dependencies;
  const { id, service, operation, app, at, content } = change;
  const irreversible = content.undo === null ? (content.irreversible ?? '') : null;
  const summary = { ...change, irreversible };
  const state = undoStateOf(summary, now());
  const failure = outcome?.ok === false ? outcome : null;
  const isSame = (one: Readonly<{ service: string; name: string }>) =>
    one.service === service && one.name === operation;
  const title = catalog.operations.find(isSame)?.title ?? operation;
  const time = shownTime(at, userOf(ctx).timeZone ?? null).text;
  const by = app === null ? 'an app' : shownClientName(app);
  const values = {
    id,
    title,
    lead: `${catalog.names.of(service)} · ${by} · ${time}`,
    notice: noticeOf(outcome),
    differences: plainDifferences(content.differences),
    explain: content.explain === null ? null : visibleText(content.explain),
    state: changeStateText(summary, now()),
    isPossible: state === 'possible',
    isConflict: failure?.reason === 'conflict' || isPartlyTakenBack(change),
    why: state === 'taken_back' || content.irreversible === null ? null : shownText(content.irreversible, 500),
    hidden: hiddenFor(ctx, formGuard, purpose),
  };
  showPage(ctx, 'change', values, failure === null ? {} : { status: statusOfFailure[failure.reason] });
}

/** Shows what a program changed, and takes all of it back. */
function showProgram(
  ctx: RouteContext,
  id: string,
  given: Readonly<{
    parts: readonly KeptSummary[];
    dependencies: ChangeRoutesDependencies;
    outcome: Outcome | null;
  }>,
): void {
  const { parts, dependencies, outcome } = given;
  const { catalog, formGuard, now } = dependencies;
  const titles = new Map(catalog.operations.map(({ service, name, title }) => [`${service} ${name}`, title]));
  const values = {
    id,
    title: 'Changes of a program',
    notice: noticeOf(outcome),
    parts: parts.map((part) => ({
      href: changePage(part.id),
      title: titles.get(`${part.service} ${part.operation}`) ?? part.operation,
      service: catalog.names.of(part.service),
      record: shownText(part.recordId ?? '–', 100),
      state: changeStateText(part, now()),
    })),
    isPossible: parts.some((part) => undoStateOf(part, now()) === 'possible'),
    hidden: hiddenFor(ctx, formGuard, purpose),
  };
  showPage(ctx, 'program', values, outcome?.ok === false ? { status: statusOfFailure[outcome.reason] } : {});
}

function noticeOf(outcome: Outcome | null) {
  if (outcome === null) return null;
  if (!outcome.ok) return { kind: 'bad', text: shownText(outcome.message, 1_000) };
  const { warnings = [] } = outcome;
  return warnings.length === 0 ? null : { kind: 'info', text: shownText(warnings.join(' '), 1_000) };
}

function showMissing(ctx: RouteContext, { reason, message }: Failure): void {
  showMessage(ctx, statusOfFailure[reason], { title: 'This change cannot be shown', text: message, link: back });
}

function warningsOf(outcome: Outcome): Readonly<{ warnings?: readonly string[] }> {
  return outcome.ok && outcome.warnings !== undefined ? { warnings: outcome.warnings } : {};
}
