import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { dryRunChosen, replayChosen, replayFailed } from '#adapters/http/webhooks/delivery-bulk.ts';
import { deliveriesPage, deliveryPage, sendersPage } from '#adapters/http/webhooks/delivery-pages.ts';
import { filterOf, inboxQueryOf, seqSchema } from '#adapters/http/webhooks/delivery-query.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { InboxEntry, InboxFinds } from '#application/ports/webhook-inbox.ts';
import type { Deliveries, DryRun } from '#application/webhooks/deliveries.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The dependencies of the deliveries' routes; `now` is Unix ms. */
type DeliveryRoutesDependencies = Readonly<{
  deliveries: Deliveries;
  formGuard: FormGuard;
  names: ServiceNames;
  note: NoteAct;
  now: () => number;
}>;

const perPage = 50;
const purpose = 'delivery';

/** Serves the webhook deliveries to administrators: /deliveries, a single one, and the actions on it. */
export function deliveryRoutes(dependencies: DeliveryRoutesDependencies): readonly Route[] {
  const ours = { who: 'person', permission: 'administrator' } as const;
  const page = { ...ours, method: 'GET', body: 'none' } as const;
  const form = { ...ours, method: 'POST', body: 'form' } as const;
  return [
    { ...page, path: '/deliveries', run: (ctx) => list(ctx, dependencies) },
    { ...page, path: '/deliveries/senders', run: (ctx) => senders(ctx, dependencies) },
    { ...page, path: '/deliveries/:seq', run: (ctx) => show(ctx, dependencies, null) },
    { ...form, path: '/deliveries/dry-run', run: (ctx) => many(ctx, dependencies, dryRunChosen) },
    { ...form, path: '/deliveries/replay-failed', run: (ctx) => many(ctx, dependencies, replayFailed) },
    { ...form, path: '/deliveries/replay', run: (ctx) => many(ctx, dependencies, replayChosen) },
    { ...form, path: '/deliveries/:seq/replay', run: (ctx) => change(ctx, dependencies, 'replay') },
    { ...form, path: '/deliveries/:seq/skip', run: (ctx) => change(ctx, dependencies, 'skip') },
    { ...form, path: '/deliveries/:seq/dry-run', run: (ctx) => dryRun(ctx, dependencies) },
  ];
}

async function list(ctx: RouteContext, dependencies: DeliveryRoutesDependencies): Promise<void> {
  const { deliveries, names, now } = dependencies;
  const read = filterOf(ctx, names.keys);
  const filter = read.ok ? read.value : {};
  const query = inboxQueryOf(filter, { limit: perPage, timeZone: userOf(ctx).timeZone ?? 'UTC' });
  const { q = '' } = filter;
  const searching = q === '' ? null : deliveries.search({ ...query, text: q, services: names.keys });
  const [found, counts, faulty] = await Promise.all([
    searching ?? (read.ok ? deliveries.list(query).then(asFinds) : nothing),
    deliveries.counts(),
    deliveries.faulty(),
  ]);
  showPage(
    ctx,
    'deliveries',
    deliveriesPage({
      ...found,
      problem: read.ok ? null : read.failure.message,
      counts,
      faulty,
      filter,
      ...timeReader(userOf(ctx), now()),
      names,
      hidden: hiddenFor(ctx, dependencies),
    }),
    { status: read.ok ? 200 : 400 },
  );
}

const nothing: InboxFinds = { entries: [], searchedTo: null };

/** A page of a list as a search that ended with its last entry. */
function asFinds(entries: readonly InboxEntry[]): InboxFinds {
  return { entries, searchedTo: entries.length === perPage ? (entries.at(-1) ?? null) : null };
}

async function senders(ctx: RouteContext, { deliveries, names, now }: DeliveryRoutesDependencies): Promise<void> {
  const [stale, secrets] = await Promise.all([deliveries.stale(), deliveries.secrets()]);
  showPage(ctx, 'senders', sendersPage({ stale, secrets, names, ...timeReader(userOf(ctx), now()) }));
}

async function show(ctx: RouteContext, dependencies: DeliveryRoutesDependencies, plan: DryRun | null): Promise<void> {
  const { deliveries, names, now } = dependencies;
  const seq = seqOf(ctx);
  const shown = seq === null ? null : await deliveries.show(seq);
  if (shown === null) return unknown(ctx);
  ctx.set('Cache-Control', 'no-store');
  showPage(
    ctx,
    'delivery',
    deliveryPage({
      ...shown,
      plan,
      hidden: hiddenFor(ctx, dependencies),
      ...timeReader(userOf(ctx), now()),
      names,
    }),
  );
}

async function change(
  ctx: RouteContext,
  dependencies: DeliveryRoutesDependencies,
  what: 'replay' | 'skip',
): Promise<void> {
  const seq = seqOf(ctx);
  if (!isGenuine(ctx, dependencies.formGuard)) return stale(ctx);
  const shown = seq === null ? null : await dependencies.deliveries.show(seq);
  if (seq === null || shown === null) return unknown(ctx);
  const isDone = await dependencies.deliveries[what](seq);
  if (!isDone) {
    const description = `A delivery that is ${shown.entry.state} cannot be ${what === 'replay' ? 'replayed' : 'skipped'}.`;
    return refuse(ctx, { status: 409, error: 'conflict', description });
  }
  const action = what === 'replay' ? 'delivery.replayed' : 'delivery.skipped';
  await dependencies.note({ action, by: userOf(ctx).id, subject: String(seq) });
  ctx.status = 303;
  ctx.set('Location', `/deliveries/${seq}`);
  ctx.body = '';
}

async function dryRun(ctx: RouteContext, dependencies: DeliveryRoutesDependencies): Promise<void> {
  const seq = seqOf(ctx);
  if (!isGenuine(ctx, dependencies.formGuard)) return stale(ctx);
  const plan = seq === null ? null : await dependencies.deliveries.dryRun(seq);
  return plan === null ? unknown(ctx) : show(ctx, dependencies, plan);
}

function hiddenFor(ctx: RouteContext, { formGuard }: DeliveryRoutesDependencies): readonly [string, string][] {
  return [[formTokenField, formGuard.tokenFor(ctx, purpose, [String(userOf(ctx).id)])]];
}

/** Runs an action on the selected deliveries. */
async function many(
  ctx: RouteContext,
  dependencies: DeliveryRoutesDependencies,
  run: typeof dryRunChosen,
): Promise<void> {
  if (!isGenuine(ctx, dependencies.formGuard)) return stale(ctx);
  const { deliveries, names, note } = dependencies;
  await run(ctx, { deliveries, names, note, hidden: hiddenFor(ctx, dependencies) });
}

function seqOf(ctx: RouteContext): number | null {
  return seqSchema.safeParse(parameterOf(ctx, 'seq')).data ?? null;
}

function isGenuine(ctx: RouteContext, formGuard: FormGuard): boolean {
  const token = fieldOf(formFields(ctx), formTokenField);
  return formGuard.isGenuine(ctx, token, purpose, [String(userOf(ctx).id)]);
}

function stale(ctx: RouteContext): void {
  const description = 'This form was made in another browser or for another user. Go back and try again.';
  refuse(ctx, { status: 403, error: 'forbidden', description });
}

function unknown(ctx: RouteContext): void {
  refuse(ctx, { status: 404, error: 'not_found', description: 'There is no such delivery.' });
}
