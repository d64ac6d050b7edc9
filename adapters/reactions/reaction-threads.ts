import type { FillAnswer, FillJob, ReadAnswer, ReadJob } from '#adapters/reactions/reaction-jobs.ts';
import type { FilledReaction, LanguageFailure, ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { CheckCall } from '#application/reactions/operation-checks.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction, ScheduleTrigger } from '#domain/reaction-notes/reaction-note.ts';
import { isReactionText, maxReactionText } from '#domain/reaction-notes/status-line.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { programModule } from '#infrastructure/program/program-files.ts';
import { JobEnded, WorkerPool } from '#infrastructure/workers/worker-pool.ts';

/** What a server's reactions are validated against, besides their own format. */
type ReactionThreadsOptions = Readonly<{
  senders: readonly string[];
  folder: string;
  /** Returns the check of calls; called with the first reaction that has calls. */
  checkCall: () => CheckCall;
  /** The limit of processor time for reading or filling a reaction, in ms. */
  maxCpuMs?: number;
}>;

/**
 * Reads and fills reactions (expressions in CEL, templates in Liquid, schedules in cron syntax) in threads that are
 * stopped at a limit of processor time. The languages are loaded there only.
 */
export class ReactionThreads implements ReactionLanguage {
  readonly #options: ReactionThreadsOptions;
  readonly #maxCpuMs: number;
  /** Notes have a thread of their own, so that a note that takes long delays no event. */
  readonly #reading = pool();
  readonly #filling = [pool(), pool()].map((threads) => ({ threads, jobs: 0 }));
  #checkCall: CheckCall | null = null;

  constructor(options: ReactionThreadsOptions) {
    this.#options = options;
    this.#maxCpuMs = options.maxCpuMs ?? 2_000;
  }

  async read(path: string, text: string): Promise<Result<ReadReaction | null, LanguageFailure>> {
    if (!isReactionText(text)) return ok(null);
    if (text.length > maxReactionText) return ok(tooLong(path));
    const { senders, folder } = this.#options;
    const job: ReadJob = { do: 'read', path, text, senders, folder, calls: null };
    const first = await this.#within<ReadAnswer>(this.#reading, job);
    if (!first.ok) return first;
    if (first.value.calls.length === 0) return ok(first.value.read);
    this.#checkCall ??= this.#options.checkCall();
    const check = this.#checkCall;
    const calls = first.value.calls.map(({ name, input }) => check(name, input));
    const second = await this.#within<ReadAnswer>(this.#reading, { ...job, calls });
    return second.ok ? ok(second.value.read) : second;
  }

  async fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, LanguageFailure>> {
    const job: FillJob = { do: 'fill', reaction, data };
    const [free] = this.#filling.toSorted((left, right) => left.jobs - right.jobs);
    if (free === undefined) throw new Error('There are no threads.');
    free.jobs += 1;
    try {
      const filled = await this.#within<FillAnswer>(free.threads, job);
      if (!filled.ok) return filled;
      return filled.value.ok ? ok(filled.value.value) : err({ reason: 'faulty', message: filled.value.failure });
    } finally {
      free.jobs -= 1;
    }
  }

  async latestTime({ pattern, zone }: ScheduleTrigger, from: number, until: number): Promise<number | null> {
    // Loaded on demand, since most servers have no schedule.
    const { latestTime } = await import('#adapters/reactions/schedule-times.ts');
    return latestTime({ pattern, zone }, from, until);
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#reading.close(), ...this.#filling.map(({ threads }) => threads.close())]);
  }

  async #within<Answer>(threads: WorkerPool, job: ReadJob | FillJob): Promise<Result<Answer, LanguageFailure>> {
    try {
      return ok(await threads.runFor<Answer>(job, this.#maxCpuMs));
    } catch (error) {
      if (!(error instanceof JobEnded)) throw error;
      return err({
        reason: 'exceeded',
        message: `It took more than ${this.#maxCpuMs} ms of processor time, or too much memory, and was stopped.`,
      });
    }
  }
}

function pool(): WorkerPool {
  const module = programModule('adapters/reactions/reaction-jobs');
  return new WorkerPool({ module, maxThreads: 1, maxJobMs: 60_000, maxWaiting: 1_000, maxMemoryMb: 128 });
}

function tooLong(path: string): ReadReaction {
  const faults = [{ line: 1, message: `A reaction may have ${maxReactionText} characters at most.` }];
  return { path, isYaml: false, reaction: null, faults };
}
