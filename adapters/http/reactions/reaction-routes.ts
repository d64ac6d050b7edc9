import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor } from '#adapters/http/people/person-forms.ts';
import { reactionPage, reactionsPage } from '#adapters/http/reactions/reaction-pages.ts';
import { reactionPageOf as pageOf } from '#adapters/http/reactions/run-texts.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { seqSchema } from '#adapters/http/webhooks/delivery-query.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import type { ManageReactions } from '#application/reactions/manage-reactions.ts';
import type { ReactionApprovals } from '#application/reactions/reaction-approvals.ts';
import type { TriedEvent } from '#application/reactions/try-reaction.ts';

/** The dependencies of the routes; without `reactions` this server has only built-in ones. */
type ReactionRoutesDependencies = Readonly<{
  reactions: ManageReactions | null;
  approvals: Pick<ReactionApprovals, 'withdraw'> | null;
  switches: BuiltInSwitches;
  formGuard: FormGuard;
  note: NoteAct;
  /** The text of a reaction's note; null when it cannot be read. */
  textOf: (path: string) => Promise<string | null>;
  /** Returns the name by which reactions call an operation. */
  nameOf: (operation: Readonly<{ service: string; name: string }>) => string;
  /** Now, in Unix ms. */
  now: () => number;
}>;

type Dependencies = Omit<ReactionRoutesDependencies, 'reactions' | 'approvals' | 'switches'> &
  Readonly<{ reactions: ManageReactions; approvals: Pick<ReactionApprovals, 'withdraw'> }>;

const purpose = 'reaction';
const reactionsPerPage = 50;
const runsPerPage = 50;

/**
 * Serves the reactions to administrators: the list with switches for the built-in ones, and one reaction with its
 * actions.
 */
export function reactionRoutes(given: ReactionRoutesDependencies): readonly Route[] {
  const { reactions, approvals, formGuard } = given;
  const sent = (run: (ctx: RouteContext) => Promise<void>) => genuine(formGuard, purpose, run);
  const ours = { who: 'person', permission: 'administrator' } as const;
  const page = { ...ours, method: 'GET', body: 'none' } as const;
  const form = { ...ours, method: 'POST', body: 'form' } as const;
  const ofAll: readonly Route[] = [
    { ...page, path: '/reactions', run: (ctx) => list(ctx, given) },
    { ...form, path: '/reactions/switches', run: sent((ctx) => keepSwitches(ctx, given)) },
  ];
  if (reactions === null || approvals === null) return ofAll;
  const all = { ...given, reactions, approvals };
  return [
    ...ofAll,
    { ...page, path: '/reactions/one', run: (ctx) => show(ctx, all, pathIn(ctx), null) },
    { ...form, path: '/reactions/try', run: sent((ctx) => attempt(ctx, all)) },
    { ...form, path: '/reactions/withdraw', run: sent((ctx) => withdraw(ctx, all)) },
    { ...form, path: '/reactions/decide', run: sent((ctx) => decide(ctx, all)) },
  ];
}

async function list(
  ctx: RouteContext,
  { reactions, switches, formGuard, now }: ReactionRoutesDependencies,
): Promise<void> {
  const hidden = hiddenFor(ctx, formGuard, purpose);
  const after = afterIn(ctx);
  const [written, builtIn] = await Promise.all([
    reactions?.page({ after, limit: reactionsPerPage }) ?? { reactions: [], next: null },
    switches.list(),
  ]);
  ctx.set('Cache-Control', 'no-store');
  showPage(
    ctx,
    'reactions',
    reactionsPage(written, { after, builtIn, hidden, reader: timeReader(userOf(ctx), now()), pageOf }),
  );
}

async function keepSwitches(ctx: RouteContext, { switches, note }: ReactionRoutesDependencies): Promise<void> {
  const fields = formFields(ctx);
  const on = fields.getAll('on');
  const before = new Map((await switches.list()).map(({ name, isOn }) => [name, isOn]));
  for (const name of fields.getAll('shown')) {
    const isOn = on.includes(name);
    await switches.set(name, isOn);
    const act = { by: userOf(ctx).id, subject: name, detail: isOn ? 'on' : 'off' };
    if (before.get(name) === !isOn) await note({ action: 'reaction.switched', ...act });
  }
  seeOther(ctx, '/reactions');
}

async function show(
  ctx: RouteContext,
  { reactions, formGuard, textOf, nameOf, now }: Dependencies,
  path: string,
  tried: readonly TriedEvent[] | null,
): Promise<void> {
  const shown = await reactions.show(path);
  if (shown === null) return unknown(ctx);
  const before = beforeIn(ctx);
  const runs = await reactions.runs(path, { limit: runsPerPage, ...(before === null ? {} : { before }) });
  const next = runs.length === runsPerPage ? (runs.at(-1)?.seq ?? null) : null;
  const hidden = [
    ...hiddenFor(ctx, formGuard, purpose),
    ['path', path],
    ['digest', shown.reaction?.digest ?? ''],
  ] as const;
  ctx.set('Cache-Control', 'no-store');
  const [reader, text] = [timeReader(userOf(ctx), now()), await textOf(path)];
  showPage(ctx, 'reaction', reactionPage(shown, { tried, runs, next, hidden, reader, text, nameOf }));
}

async function attempt(ctx: RouteContext, all: Dependencies): Promise<void> {
  const path = fieldOf(formFields(ctx), 'path');
  const tried = await all.reactions.try(path);
  return tried === null ? unknown(ctx) : show(ctx, all, path, tried);
}

async function withdraw(ctx: RouteContext, { approvals, note }: Dependencies): Promise<void> {
  const fields = formFields(ctx);
  const path = fieldOf(fields, 'path');
  await approvals.withdraw(fieldOf(fields, 'digest'));
  await note({ action: 'reaction.withdrawn', by: userOf(ctx).id, subject: path });
  seeOther(ctx, pageOf(path));
}

async function decide(ctx: RouteContext, { reactions, note }: Dependencies): Promise<void> {
  const fields = formFields(ctx);
  const decision = fieldOf(fields, 'decision') === 'again' ? 'again' : 'made';
  const isDecided = await reactions.decide(fieldOf(fields, 'key'), decision, userOf(ctx).email);
  const path = fieldOf(fields, 'path');
  if (isDecided) {
    await note({ action: 'reaction.decided', by: userOf(ctx).id, subject: path, detail: decision });
    return seeOther(ctx, pageOf(path));
  }
  refuse(ctx, { status: 409, error: 'conflict', description: 'This call has already been decided.' });
}

/** Where the page of runs begins; null for the latest. */
function beforeIn(ctx: RouteContext): number | null {
  return seqSchema.safeParse(ctx.query['before']).data ?? null;
}

/** The path after which the page of reactions begins; null for the first. */
function afterIn(ctx: RouteContext): string | null {
  const { after } = ctx.query;
  return typeof after === 'string' ? after : null;
}

function pathIn(ctx: RouteContext): string {
  const { path } = ctx.query;
  return typeof path === 'string' ? path : '';
}

function seeOther(ctx: RouteContext, location: string): void {
  ctx.status = 303;
  ctx.set('Location', location);
  ctx.body = '';
}

function unknown(ctx: RouteContext): void {
  refuse(ctx, { status: 404, error: 'not_found', description: 'There is no such reaction, or it has errors.' });
}
