import type { ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { TriedEvent, TryReaction } from '#application/reactions/try-reaction.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ReactionFault, ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case: `path` is where the text is assumed to be, within the folder of reactions. */
type CheckReactionDependencies = Readonly<{
  language: Pick<ReactionLanguage, 'read'>;
  tries: Pick<TryReaction, 'run'>;
  senders: readonly ServiceKey[];
  path: string;
}>;

/** Whose events may be read, and what ends the check. */
type CheckBounds = Readonly<{ isOpen: (service: ServiceKey) => boolean; signal: AbortSignal }>;

/**
 * A checked text: its errors, or the reaction with its dry run. `closed` are the services that it reads and that are not
 * open.
 */
export type CheckedReaction = Readonly<{
  faults: readonly ReactionFault[];
  reaction: ReactionNote | null;
  closed: readonly ServiceKey[];
  tried: readonly TriedEvent[];
}>;

/** The maximum number of deliveries that a text is tried on, of texts that wait, and the time for a trial in ms. */
const maxTried = 10;
const maxWaiting = 5;
const maxTrialMs = 20_000;

const busy = failed('rate_limited', 'Too many reactions are being tried at once.', { retryAfterMs: 10_000 });

/** Checks the text of a reaction that need not be in a note, and tries it on past events without effect; one by one. */
export class CheckReaction {
  readonly #dependencies: CheckReactionDependencies;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(dependencies: CheckReactionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the errors, or the dry run; fails for a text that is no reaction, and while too many others wait. */
  async run(text: string, bounds: CheckBounds): Promise<Result<CheckedReaction, Failure>> {
    if (this.#waiting >= maxWaiting) return err(busy);
    this.#waiting += 1;
    const checking = this.#turn.then(() => this.#check(text, bounds));
    this.#turn = checking.catch(() => undefined);
    try {
      return await checking;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #check(text: string, { isOpen, signal }: CheckBounds): Promise<Result<CheckedReaction, Failure>> {
    const { language, tries, senders, path } = this.#dependencies;
    if (signal.aborted) return err(failed('unavailable', 'The call was cancelled.'));
    const read = await language.read(path, text);
    if (!read.ok) return err(failed('invalid_input', read.failure.message));
    if (read.value === null) return err(failed('invalid_input', noReaction));
    const { reaction, faults } = read.value;
    if (reaction === null) return ok({ faults, reaction, closed: [], tried: [] });
    const reads = reaction.triggers.flatMap((one) => (one.kind === 'event' ? [one.service] : senders));
    const closed = [...new Set(reads)].filter((service) => !isOpen(service));
    const until = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)]);
    const tried = await tries.run(reaction, { isOpen, maxTried, signal: until });
    return ok({ faults, reaction, closed, tried });
  }
}

const noReaction = 'This is not the text of a reaction: it begins with frontmatter that has the key `reaction`.';
