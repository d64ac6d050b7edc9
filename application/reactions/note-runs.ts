import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReactionResult } from '#domain/reactions/run-result.ts';

/** The dependencies; `onRun` is called with the path of each reaction. */
type NoteRunsDependencies = Readonly<{
  log: Pick<ReactionLog, 'noteRuns'>;
  clock: Clock;
  onRun?: (reaction: string) => void;
}>;

/** The maximum length of a run's stored outcome, in characters. */
const maxOutcome = 2_000;

/** Records what a delivery came to for each user-written reaction. */
export class NoteRuns {
  readonly #dependencies: NoteRunsDependencies;

  constructor(dependencies: NoteRunsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records the results for the delivery at that position of the inbox. */
  async run(seq: number, results: readonly ReactionResult[]): Promise<void> {
    const { log, clock, onRun } = this.#dependencies;
    const at = clock.now();
    await log.noteRuns(
      results.map(({ reaction, result, outcome }) => ({
        reaction,
        seq,
        at,
        result,
        outcome: outcome.slice(0, maxOutcome),
      })),
    );
    for (const { reaction } of results) onRun?.(reaction);
  }
}
