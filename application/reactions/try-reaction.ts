import type { Clock } from '#application/ports/clock.ts';
import type { EventRecords } from '#application/ports/event-records.ts';
import type { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import { nothingToDo, type PlanReactions } from '#application/reactions/plan-reactions.ts';
import { faultLine } from '#application/webhooks/apply-steps.ts';
import { dryRun, type Targets } from '#application/webhooks/targets.ts';
import { scheduleEvent } from '#domain/events/schedule-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

type TryReactionDependencies = Readonly<{
  plan: Pick<PlanReactions, 'try'>;
  events: EventsOfPeriod;
  /** Completes events whose deliveries carry only ids. */
  records: EventRecords;
  targets: Targets;
  clock: Clock;
}>;

/**
 * The dry run of one event: a line for each change, and how it would end. `seq` is the delivery's position; null for a
 * schedule.
 */
export type TriedEvent = Readonly<{
  seq: number | null;
  event: string;
  at: number;
  isMet: boolean;
  changes: readonly string[];
  ending: string;
}>;

/**
 * What limits a trial: the services whose events it may read (all by default), the maximum number of deliveries, and a
 * signal after which no further one begins.
 */
export type TrialBounds = Readonly<{
  isOpen?: (service: ServiceKey) => boolean;
  maxTried?: number;
  signal?: AbortSignal;
}>;

/** The maximum number of deliveries that a reaction is tried on. */
const maxTriedEver = 50;
const weekMs = 7 * 86_400_000;

/** Tries a reaction, without effect, on the latest past deliveries that match its triggers. */
export class TryReaction {
  readonly #dependencies: TryReactionDependencies;

  constructor(dependencies: TryReactionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the dry runs, the newest event first; a schedule's comes first. */
  async run(
    reaction: ReactionNote,
    { isOpen = () => true, maxTried = maxTriedEver, signal }: TrialBounds = {},
  ): Promise<readonly TriedEvent[]> {
    const { events, records, clock } = this.#dependencies;
    const tried: TriedEvent[] = [];
    if (reaction.triggers.some(({ kind }) => kind === 'schedule')) {
      const event = scheduleEvent(reaction.path, clock.now() - weekMs, clock.now());
      tried.push(await this.#tryOn(reaction, event, { seq: null, isOpen }));
    }
    const isFit = ({ service, event }: Readonly<{ service: string; event: string }>) =>
      isOpen(service) &&
      reaction.triggers.some(
        (trigger) => trigger.kind === 'event' && trigger.service === service && trigger.name === event,
      );
    for (const entry of await events.latest(isFit, maxTried)) {
      if (signal?.aborted === true) break;
      const read = await events.read(entry);
      if (read === null) continue;
      const event = await records.complete(read);
      if (event.ok) tried.push(await this.#tryOn(reaction, event.value, { seq: entry.seq, isOpen }));
      else
        tried.push({
          ...about(read, entry.seq),
          isMet: false,
          changes: [],
          ending: `failed: ${event.failure.message}`,
        });
      // The records of the others would fail for the same reason, after as long.
      if (!event.ok) break;
    }
    return tried;
  }

  async #tryOn(
    reaction: ReactionNote,
    event: ServiceEvent,
    { seq, isOpen }: Readonly<{ seq: number | null; isOpen: (service: ServiceKey) => boolean }>,
  ): Promise<TriedEvent> {
    const steps = await this.#dependencies.plan.try(reaction, event, { seq: seq ?? 0, planned: [], isOpen });
    if (steps === null)
      return {
        ...about(event, seq),
        isMet: false,
        changes: [],
        ending: 'nothing: its condition is not met',
      };
    const changes: string[] = [];
    const applySteps = dryRun(this.#dependencies.targets, (line) => changes.push(line));
    const endings: string[] = [];
    for (const step of steps) {
      const effect = await applySteps.run(step);
      endings.push(effect.ok ? faultLine(effect.value) : `failed: ${effect.failure.message}`);
    }
    const ending = endings.length === 0 ? `nothing: ${nothingToDo}` : endings.join('; ');
    return { ...about(event, seq), isMet: true, changes, ending };
  }
}

function about({ service, name, occurredAt }: ServiceEvent, seq: number | null) {
  return { seq, event: `${service}.${name}`, at: occurredAt };
}
