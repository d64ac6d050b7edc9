import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';

/** The maximum length of a chain of reaction calls. */
export const maxChain = 8;

/** How far the time of an event may be from that of the call that caused it, in ms. */
const echoMs = 60_000;

/** The reaction call that caused an event: the reaction, and the number of chained calls up to and including it. */
export type Cause = Readonly<{ reaction: string; depth: number }>;

/**
 * Returns the reaction call that caused the event, by the record that it touched; null when there is none. Providers
 * report a reaction's own changes as events.
 */
export async function causeOf(
  { service, record, occurredAt }: ServiceEvent,
  log: Pick<ReactionLog, 'touchedSince'>,
): Promise<Cause | null> {
  const call = await log.touchedSince({ service, id: record.id }, occurredAt - echoMs);
  return call === null || call.at > occurredAt + echoMs ? null : call;
}

/**
 * Returns why the reaction must not run for an event that was caused by that call, to prevent endless loops; null when
 * it may.
 */
export function loopOf(
  { path }: Pick<ReactionNote, 'path'>,
  cause: Cause | null,
): Readonly<{ text: string; isFault: boolean }> | null {
  if (cause?.reaction === path) return { text: 'ignored its own change', isFault: false };
  if ((cause?.depth ?? 0) < maxChain) return null;
  return { text: `cut a chain of ${maxChain} calls of reactions`, isFault: true };
}
