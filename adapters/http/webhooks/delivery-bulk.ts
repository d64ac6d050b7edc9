import { z } from 'zod';
import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { fieldsOf } from '#adapters/http/connections/connection-input.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { seqSchema } from '#adapters/http/webhooks/delivery-query.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import { type Deliveries, maxReplayed } from '#application/webhooks/deliveries.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The maximum number of deliveries in one replay or dry run: one page of the list. */
const maxAtOnce = 50;
const failedSchema = z.enum(['dead', 'faulty', 'all']).catch('all');
const chosenSchema = z.union([seqSchema.transform((seq) => [seq]), z.array(seqSchema).max(maxAtOnce)]).catch([]);

/** The dependencies; `hidden` are the form's hidden fields with its token. */
type BulkDependencies = Readonly<{
  deliveries: Deliveries;
  names: ServiceNames;
  note: NoteAct;
  hidden: readonly (readonly string[])[];
}>;

const list = { href: '/deliveries', text: 'Deliveries' };

/** Shows a dry run of the selected deliveries, and asks whether to replay them. */
export async function dryRunChosen(ctx: RouteContext, { deliveries, names, hidden }: BulkDependencies): Promise<void> {
  const chosen = chosenOf(ctx);
  if (chosen.length === 0) return nothingChosen(ctx);
  const rows = [];
  for (const seq of chosen) {
    const shown = await deliveries.show(seq);
    const plan = shown === null ? null : await deliveries.dryRun(seq);
    if (shown === null || plan === null) continue;
    const { service, event } = shown.entry;
    rows.push({ seq, title: `${names.of(service)} · ${shownText(event, 60)}`, ...plan });
  }
  ctx.set('Cache-Control', 'no-store');
  showPage(ctx, 'deliveries-chosen', { rows, hidden });
}

/** Replays those of the selected deliveries that can be replayed; deliveries of one record stay in order. */
export async function replayChosen(ctx: RouteContext, { deliveries, note }: BulkDependencies): Promise<void> {
  const chosen = chosenOf(ctx);
  if (chosen.length === 0) return nothingChosen(ctx);
  let replayed = 0;
  for (const seq of [...chosen].sort((left, right) => left - right)) {
    if (!(await deliveries.replay(seq))) continue;
    replayed += 1;
    await note({ action: 'delivery.replayed', by: userOf(ctx).id, subject: String(seq) });
  }
  const left = chosen.length - replayed;
  const rest =
    left === 0 ? '' : ` ${left} could not be replayed: they are not finished yet, or their bodies have been pruned.`;
  const title = replayed === 1 ? 'One delivery is being replayed' : `${replayed} deliveries are being replayed`;
  showMessage(ctx, 200, { title, text: `Deliveries are processed again in their order.${rest}`, link: list });
}

/** Replays all deliveries that failed, or one kind of them; they are processed in the background. */
export async function replayFailed(ctx: RouteContext, { deliveries, note }: BulkDependencies): Promise<void> {
  const which = failedSchema.parse(fieldsOf(ctx.request.body)['only']);
  const replayed = await deliveries.replayFailed(which);
  const act = { action: 'delivery.replayed', by: userOf(ctx).id } as const;
  if (replayed > 0) await note({ ...act, subject: which, detail: `${replayed} deliveries` });
  const title = replayed === 1 ? 'One delivery is being replayed' : `${replayed} deliveries are being replayed`;
  const more = replayed < maxReplayed ? '' : ` At most ${maxReplayed} are replayed at once: there may be more.`;
  const pruned = replayed === 0 ? 'None was found whose body is still kept.' : '';
  const progress =
    'They are processed in the background, those of one record in their order; the list shows how many still wait.';
  const link = { href: '/deliveries?state=pending', text: 'Those that wait' };
  showMessage(ctx, 200, { title, text: pruned === '' ? `${progress}${more}` : pruned, link });
}

function nothingChosen(ctx: RouteContext): void {
  const text = `Select up to ${maxAtOnce} deliveries at once.`;
  showMessage(ctx, 400, { title: 'No delivery was selected', text, link: list });
}

function chosenOf(ctx: RouteContext): readonly number[] {
  return chosenSchema.parse(fieldsOf(ctx.request.body)['seq']);
}
