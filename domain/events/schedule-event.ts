import type { EventFacts } from '#domain/events/event-facts.ts';

/** The pseudo-service of events that a schedule produces. */
export const scheduleService = 'schedule';

/**
 * A schedule is due: the record is the reaction; `from` (Unix ms) is the previous due time, where the period begins.
 */
export type ScheduleEvent = EventFacts<typeof scheduleService, 'due'> & Readonly<{ from: number }>;

/** Creates the event of a reaction's schedule for the period from `from` to `due` (Unix ms). */
export function scheduleEvent(reaction: string, from: number, due: number): ScheduleEvent {
  const record = { service: scheduleService, kind: 'reaction', id: reaction } as const;
  return { service: scheduleService, name: 'due', record, occurredAt: due, from };
}
