import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import { scheduleService } from '#domain/events/schedule-event.ts';
import type { ReactionNote, ScheduleTrigger } from '#domain/reaction-notes/reaction-note.ts';

/** The dependencies of the use case; `onKept` is called when entries were added to the inbox. */
type RunSchedulesDependencies = Readonly<{
  book: Pick<ReactionBook, 'all'>;
  language: Pick<ReactionLanguage, 'latestTime'>;
  log: Pick<ReactionLog, 'scheduledTo' | 'advance'>;
  inbox: Pick<WebhookInbox, 'keep'>;
  gate: Pick<ConnectionGate, 'reasonToPause'>;
  clock: Clock;
  onKept: () => void;
}>;

/**
 * Adds an entry to the inbox for each schedule that is due, once across all processes; it is then processed like a
 * delivery. After a pause, only the last missed time is made up for, with the whole pause as its period.
 */
export class RunSchedules {
  readonly #dependencies: RunSchedulesDependencies;

  constructor(dependencies: RunSchedulesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Checks all schedules; returns the number that were due. While processing is paused, none is. */
  async run(): Promise<number> {
    if ((await this.#dependencies.gate.reasonToPause()) !== null) return 0;
    let due = 0;
    for (const { reaction } of this.#dependencies.book.all()) {
      if (reaction === null || reaction.mode === 'off') continue;
      for (const trigger of reaction.triggers) {
        if (trigger.kind === 'schedule' && (await this.#check(reaction, trigger))) due += 1;
      }
    }
    if (due > 0) this.#dependencies.onKept();
    return due;
  }

  async #check({ path }: ReactionNote, trigger: ScheduleTrigger): Promise<boolean> {
    const { log, inbox, clock } = this.#dependencies;
    const now = clock.now();
    const name = `${path} ${trigger.pattern} ${trigger.zone ?? 'UTC'}`;
    const from = await log.scheduledTo(name);
    // A new schedule starts at the time it is first seen.
    if (from === null) {
      await log.advance(name, null, now);
      return false;
    }
    const due = await this.#dependencies.language.latestTime(trigger, from, now);
    if (due === null) return false;
    // Stored before the schedule advances: if two processes do both, the inbox drops the duplicate by its id.
    await inbox.keep([
      {
        service: scheduleService,
        deliveryId: `${name} ${new Date(due).toISOString()}`,
        orderKey: `${scheduleService}:reaction:${path}`,
        event: 'due',
        calls: null,
        body: JSON.stringify({ reaction: path, from, due }),
      },
    ]);
    return log.advance(name, from, due);
  }
}
