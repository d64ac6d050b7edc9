import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { scheduleEvent, scheduleService } from '#domain/events/schedule-event.ts';
import { err, ok } from '#domain/shared/result.ts';

/** Reads what `RunSchedules` puts into the inbox. Nothing is received over HTTP under its name. */
export const scheduleSource: WebhookSource = {
  service: scheduleService,
  verify: () => err({ reason: 'no_secret', detail: 'schedules come from this server alone' }),
  parts: () => [],
  read: (part) => {
    const body: Readonly<Record<string, unknown>> = typeof part === 'object' && part !== null ? { ...part } : {};
    const { reaction, from, due } = body;
    if (typeof reaction !== 'string' || typeof from !== 'number' || typeof due !== 'number') {
      return err({ reason: 'unreadable', detail: 'no time of a schedule' });
    }
    return ok(scheduleEvent(reaction, from, due));
  },
};
