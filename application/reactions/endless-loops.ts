import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';

/** The most calls of reactions that lead to one another. */
export const maxChain = 8;

/** How long an event may differ in time from the call that it comes of, in ms. */
const echoMs = 60_000;

/** The call of a reaction that an event comes of: by which reaction, and how many calls led to it, itself included. */
export type Cause = Readonly<{ reaction: string; depth: number }>;

/** Returns the call of a reaction that the event comes of, or null: what a reaction changes, the provider sends back as an event. */
export async function causeOf(
  { service, record, occurredAt }: ServiceEvent,
  log: Pick<ReactionLog, 'touchedSince'>,
): Promise<Cause | null> {
  const call = await log.touchedSince({ service, id: record.id }, occurredAt - echoMs);
  return call === null || call.at > occurredAt + echoMs ? null : call;
}

/** Returns why the reaction is not run for what comes of that call, since it could go round for ever; null when it may run. */
export function loopOf(
  { path }: Pick<ReactionNote, 'path'>,
  cause: Cause | null,
): Readonly<{ text: string; isFault: boolean }> | null {
  if (cause?.reaction === path) return { text: 'left alone what came of itself', isFault: false };
  if ((cause?.depth ?? 0) < maxChain) return null;
  return { text: `cut a chain of ${maxChain} calls of reactions`, isFault: true };
}
