import { hash } from 'node:crypto';
import type { RecordRef } from '#domain/events/record-ref.ts';

/** Identifies one run of a reaction: by its evaluated `once`, or else by the event itself. */
export type Occasion = Readonly<{
  reaction: string;
  once: string | null;
  record: RecordRef;
  event: string;
  occurredAt: number;
}>;

/**
 * Derives the idempotency key of one step of a run: the same event, or the same `once`, yields the same key whatever
 * the delivery id. 32 hexadecimal digits.
 */
export function onceKey({ reaction, once, record, event, occurredAt }: Occasion, step: string): string {
  const { service, kind, id } = record;
  const occasion = once === null ? [service, kind, id, event, occurredAt] : [once];
  return hash('sha256', JSON.stringify([reaction, step, ...occasion])).slice(0, 32);
}

/** Returns the block id that marks what a run writes into a note. */
export function onceMark(occasion: Occasion): string {
  return `evt-${onceKey(occasion, 'note').slice(0, 16)}`;
}
