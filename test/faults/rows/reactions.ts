import { join } from 'node:path';
import type { FaultRow, Measured } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { allowCall, reactionPage, submitReaction, until } from '#test/faults/written-reaction.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post } from '#test/support/webhooks/webhook-server.ts';

const holds =
  'The record is created once; where nobody can know, the page says so, and nothing is done until a person decides.';

/** A reaction that creates an issue, and what may come between. */
export const reactions: readonly FaultRow[] = [
  { subject: 'reactions', fault: 'kill -9 between the create and its record', holds, run: killed },
  { subject: 'reactions', fault: 'the tracker refuses connections', holds, run: whileDown },
];

async function killed(): Promise<Measured> {
  await using stand = await openStand();
  await allowed(stand);
  const { tracker } = stand.emulators;
  const asked = () => tracker.requests.filter(({ query }) => query.includes('issueCreate')).length;
  // The tracker does what it was asked to only once the server is gone.
  tracker.delayNext(5_000);
  await send(stand);
  await until('the call is on its way', async () => asked() === 1);
  await stand.crash();
  await until('the issue is there', async () => created(stand) === 1);
  const begun = performance.now();
  // Within a minute another server might still be at it; then a person is asked.
  await until('the page asks for a decision', async () => (await reactionPage(stand)).includes('It took effect'));
  const recoveredAfterMs = performance.now() - begun;
  const wasMade = await submitReaction(stand, 'decide', 'made');
  await until('the delivery is done', async () => (await text(stand, '/deliveries')).includes('made, as '));
  return measured(stand, recoveredAfterMs, [
    ...(wasMade ? [] : ['The decision was not taken.']),
    ...(asked() === 1 ? [] : [`The tracker was asked ${asked()} times.`]),
  ]);
}

async function whileDown(): Promise<Measured> {
  await using stand = await openStand();
  await allowed(stand);
  await stand.fronts.tracker.be('refuses connections');
  await send(stand);
  await until('the delivery is tried again', async () => /ECONNREFUSED/.test(await text(stand, '/deliveries')));
  const early = created(stand);
  await stand.fronts.tracker.be('well');
  const begun = performance.now();
  await until('the issue is there', async () => created(stand) > 0);
  return measured(stand, performance.now() - begun, early === 0 ? [] : ['It was created while the tracker was down.']);
}

function measured(stand: Stand, recoveredAfterMs: number, problems: readonly string[]): Measured {
  const count = created(stand);
  const [lost, doubled] = [Math.max(0, 1 - count), Math.max(0, count - 1)];
  return { load: 'one delivery', acknowledged: 1, lost, doubled, recoveredAfterMs, problems };
}

/** Writes the reaction, and allows its calls as an administrator does. */
function allowed(stand: Stand): Promise<void> {
  const { eng } = stand.emulators.tracker.seed;
  return allowCall(
    { ...stand, notes: join(stand.dataDir, 'vault') },
    `tracker.issues.create: { teamId: ${eng.id}, title: "Onboard {{ deal.title }}" }`,
  );
}

const created = ({ emulators }: Stand) =>
  emulators.tracker.space.all('Issue').filter(({ title }) => title === 'Onboard Acme').length;

async function send({ baseUrl }: Stand): Promise<void> {
  const answer = await post(
    baseUrl,
    salesCrmDelivery(dealPayload({ id: 7, title: 'Acme' }, {}, new Date().toISOString())),
  );
  if (answer.status !== 200) throw new Error(`The delivery was answered ${answer.status}`);
}

const text = async ({ person }: Stand, address: string) => (await person.fetch(address)).text();
