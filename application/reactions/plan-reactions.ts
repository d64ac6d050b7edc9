import type { NoteLinks } from '#application/ports/note-links.ts';
import type { FilledReaction, LanguageFailure, ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import { type Cause, causeOf, loopOf } from '#application/reactions/endless-loops.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReadingRights } from '#application/reactions/reading-rights.ts';
import { describedSteps, stepsOf } from '#application/reactions/steps-of-reaction.ts';
import { type ScheduleEvent, scheduleService } from '#domain/events/schedule-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { type EventData, eventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { ReactionResult } from '#domain/reactions/run-result.ts';
import { type CallStep, readingOperation, type Step, type TellStep } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. `folder` is the folder of the reactions. */
type PlanReactionsDependencies = Readonly<{
  book: Pick<ReactionBook, 'to' | 'offTo' | 'at' | 'isLoaded' | 'load' | 'changesRead' | 'setAside'>;
  language: Pick<ReactionLanguage, 'fill'>;
  log: Pick<ReactionLog, 'touchedSince' | 'counts' | 'refusals'>;
  links: Pick<NoteLinks, 'find'>;
  reading: Pick<ReadingRights, 'admit'>;
  folder: string;
  /** Returns the data of a schedule's event, of the services that are open. */
  eventsOf: (event: ScheduleEvent, isOpen: (service: ServiceKey) => boolean) => Promise<EventData>;
  /** Returns the name of an operation for people; its own by default. */
  nameOf?: (call: Pick<CallStep, 'service' | 'name'>) => string;
}>;

/**
 * The position of an event in the inbox, and the steps already planned for it. `isOpen` are the services whose events a
 * schedule sees; all by default.
 */
type EventPlace = Readonly<{ seq: number; planned: readonly Step[]; isOpen?: (service: ServiceKey) => boolean }>;

/**
 * What an event comes to for the user-written reactions: their steps, null when none has to do anything, and the results
 * of those that have no steps.
 */
export type PlannedReactions = Readonly<{ steps: readonly Step[] | null; results: readonly ReactionResult[] }>;

/** What is said of a reaction whose condition is met, and that has nothing to do. */
export const nothingToDo = 'there is nothing to write or to call';

/** Turns an event into the steps of user-written reactions. */
export class PlanReactions {
  readonly #dependencies: PlanReactionsDependencies;
  #first: Promise<boolean> | null = null;

  constructor(dependencies: PlanReactionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the steps of all reactions to the event, ordered by path. Throws while the reactions cannot be read
   * although some ran before, so that the event is retried.
   */
  async run(event: ServiceEvent, place: EventPlace): Promise<PlannedReactions> {
    const { book } = this.#dependencies;
    if (!book.isLoaded) {
      // Only the first event waits for all notes; later ones wait for those that change.
      this.#first ??= book.load();
      const isRead = (await this.#first) || book.isLoaded;
      if (!isRead && (await this.#dependencies.log.counts()).length > 0) {
        throw new Error('The reactions in the vault cannot be read yet.');
      }
    }
    await book.changesRead();
    const candidates = this.#candidates(event);
    const off = event.service === scheduleService ? [] : book.offTo(event);
    const results = off.map(({ path }) => resultOf(path, 'off', 'it is off'));
    if (candidates.length === 0) return { steps: null, results };
    const data = await this.#data(event, place);
    const open: FilledFor[] = [];
    for (const reaction of candidates) {
      const filled = await this.#fill(reaction, data);
      if (!filled.ok || filled.value !== null) open.push({ reaction, filled });
      else results.push(resultOf(reaction.path, 'unmet', 'its condition is not met'));
    }
    if (open.length === 0) return { steps: null, results };
    const waiting = await this.#dependencies.reading.admit(open.map(({ reaction }) => reaction));
    const refusals = waiting.size === 0 ? [] : await this.#dependencies.log.refusals();
    const refused = new Set(refusals.map(({ digest }) => digest));
    const cause = await causeOf(event, this.#dependencies.log);
    const steps = open.flatMap((one) => {
      const services = waiting.get(one.reaction.path);
      if (services !== undefined && refused.has(one.reaction.digest)) return [refusedStep(one.reaction, event)];
      if (services !== undefined) return [waitingStep(one.reaction, { event, place, services })];
      const planned = this.#steps(one, { event, place, cause });
      if (planned.length === 0) results.push(resultOf(one.reaction.path, 'ran', nothingToDo));
      return planned;
    });
    return { steps, results };
  }

  /** Whether any reaction may handle the event; they may while they have not been read. */
  async mayConcern(event: ServiceEvent): Promise<boolean> {
    await this.#dependencies.book.changesRead();
    return !this.#dependencies.book.isLoaded || this.#candidates(event).length > 0;
  }

  /** Returns the steps of one reaction as if it were on, for any event; null when its condition is not met. */
  async try(reaction: ReactionNote, event: ServiceEvent, place: EventPlace): Promise<readonly Step[] | null> {
    const data = await this.#data(event, place);
    const isOn = { ...reaction, mode: 'on' } as const;
    const filled = await this.#fill(isOn, data);
    if (filled.ok && filled.value === null) return null;
    return this.#steps({ reaction: isOn, filled }, { event, place, cause: null });
  }

  #candidates(event: ServiceEvent): readonly ReactionNote[] {
    if (event.service !== scheduleService) return this.#dependencies.book.to(event);
    const reaction = this.#dependencies.book.at(event.record.id);
    return reaction === null || reaction.mode === 'off' ? [] : [reaction];
  }

  async #data(event: ServiceEvent, { planned, isOpen = () => true }: EventPlace): Promise<EventData> {
    const link = event.service === scheduleService ? null : await this.#dependencies.links.find(event.record);
    const made = planned.find((step) => step.do === 'note' && step.create !== null);
    const path = link?.path ?? (made?.do === 'note' ? (made.create?.path ?? null) : null);
    const links = { note: path === null ? '' : `[[${path.replace(/\.md$/, '')}]]` };
    if (!isDue(event)) return { ...eventData(event), links };
    return { ...(await this.#dependencies.eventsOf(event, isOpen)), links };
  }

  /** Evaluates the reaction; one that exceeds the limits twice is set aside. */
  async #fill(reaction: ReactionNote, data: EventData): Promise<FilledFor['filled']> {
    const { language, book } = this.#dependencies;
    const first = await language.fill(reaction, data);
    if (first.ok || first.failure.reason === 'faulty') return first;
    const second = await language.fill(reaction, data);
    if (!second.ok && second.failure.reason === 'exceeded') await book.setAside(reaction);
    return second;
  }

  /** Returns the steps of a filled reaction. */
  #steps({ reaction, filled }: FilledFor, { event, place, cause }: Occurrence): readonly Step[] {
    const { record } = event;
    const tell = (text: string, isFault: boolean): TellStep => ({
      do: 'tell',
      record,
      by: reaction.path,
      text,
      isFault,
    });
    const loop = loopOf(reaction, cause);
    if (loop !== null) return [tell(loop.text, loop.isFault)];
    if (!filled.ok) return [tell(filled.failure.message, true)];
    if (filled.value === null) return [];
    const { folder, nameOf = ownName } = this.#dependencies;
    const steps = stepsOf(reaction, filled.value, { event, seq: place.seq, depth: (cause?.depth ?? 0) + 1, folder });
    if (!steps.ok) return [tell(steps.failure, true)];
    return reaction.mode === 'dry' ? [tell(`would ${describedSteps(steps.value, nameOf)}`, false)] : steps.value;
  }
}

const resultOf = (reaction: string, result: ReactionResult['result'], outcome: string): ReactionResult => ({
  reaction,
  result,
  outcome,
});

const ownName = ({ service, name }: Pick<CallStep, 'service' | 'name'>): string => `${service}.${name}`;

/** Returns the step of a reaction that an administrator has to allow: its delivery is worked on again then. */
function waitingStep(
  { path, digest }: ReactionNote,
  { event, place, services }: Pick<Occurrence, 'event' | 'place'> & Readonly<{ services: readonly ServiceKey[] }>,
): TellStep {
  const text = `waits until an administrator allows it: not everybody who may use the vault may use ${services.join(', ')}`;
  const waits = { key: `${digest} reads ${place.seq}`, operation: readingOperation, seq: place.seq, depth: 0 };
  return { do: 'tell', record: event.record, by: path, text, isFault: false, waits };
}

/** Returns the step of a reaction that an administrator refused. */
function refusedStep({ path }: ReactionNote, { record }: ServiceEvent): TellStep {
  return { do: 'tell', record, by: path, text: 'does nothing: an administrator refused this text', isFault: false };
}

/** Events of this service are always schedule events. */
function isDue(event: ServiceEvent): event is ScheduleEvent {
  return event.service === scheduleService;
}

type FilledFor = Readonly<{ reaction: ReactionNote; filled: Result<FilledReaction | null, LanguageFailure> }>;

type Occurrence = Readonly<{
  event: ServiceEvent;
  place: EventPlace;
  cause: Cause | null;
}>;
