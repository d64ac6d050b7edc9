import type { EventFacts } from '#domain/events/event-facts.ts';

/** The service name of events that come of a schedule and of no service. */
export const scheduleService = 'schedule';

/** A time of a schedule has come: the record is the reaction, `from` (Unix ms) the time before, where its period begins. */
export type ScheduleEvent = EventFacts<typeof scheduleService, 'due'> & Readonly<{ from: number }>;

/** Creates the event for a reaction. */
export function scheduleEvent(reaction: string, from: number, due: number): ScheduleEvent {
  const record = { service: scheduleService, kind: 'reaction', id: reaction } as const;
  return { service: scheduleService, name: 'due', record, occurredAt: due, from };
}
