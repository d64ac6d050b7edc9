import type { Notify } from '#application/notifications/notify.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { InboxEntry } from '#application/ports/webhook-inbox.ts';
import type { ReactionResult } from '#domain/reactions/run-result.ts';

/** The dependencies; `onRun` is called with the path of each reaction. Faults are not notified when not given. */
type NoteRunsDependencies = Readonly<{
  log: Pick<ReactionLog, 'noteRuns'>;
  clock: Clock;
  onRun?: (reaction: string) => void;
  notify?: Pick<Notify, 'run'>;
}>;

/** The maximum length of a run's stored outcome, in characters. */
const maxOutcome = 2_000;

/** Records what a delivery came to for each user-written reaction. */
export class NoteRuns {
  readonly #dependencies: NoteRunsDependencies;

  constructor(dependencies: NoteRunsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records the results for a delivery. Faults are notified when `isFinal`: nothing more is tried for it. */
  async run(
    { seq, availableAt }: Pick<InboxEntry, 'seq' | 'availableAt'>,
    results: readonly ReactionResult[],
    isFinal: boolean,
  ): Promise<void> {
    const { log, clock, onRun, notify } = this.#dependencies;
    for (const { reaction, result } of isFinal ? results : []) {
      if (result !== 'failed') continue;
      // A replay has another time.
      const occasion = `${seq} ${availableAt} ${reaction}`;
      await notify?.run({ kind: 'reaction.failed', occasion, userId: null, subject: { reaction, delivery: seq } });
    }
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
