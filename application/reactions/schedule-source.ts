import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { scheduleEvent, scheduleService } from '#domain/events/schedule-event.ts';
import { isObject } from '#domain/json/json-data.ts';
import { err, ok } from '#domain/shared/result.ts';

/** Parses the entries that `RunSchedules` adds to the inbox. Deliveries over HTTP are never accepted under its name. */
export const scheduleSource: WebhookSource = {
  service: scheduleService,
  verify: () => err({ reason: 'no_secret', detail: 'schedules come from this server alone' }),
  parts: () => [],
  read: (part) => {
    const { reaction, from, due } = isObject(part) ? part : {};
    if (typeof reaction !== 'string' || typeof from !== 'number' || typeof due !== 'number') {
      return err({ reason: 'unreadable', detail: 'no time of a schedule' });
    }
    return ok(scheduleEvent(reaction, from, due));
  },
};
