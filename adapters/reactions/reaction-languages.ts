import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { type CompiledExpression, compileExpression } from '#adapters/reactions/expression.ts';
import type { ReactionJob } from '#adapters/reactions/reaction-jobs.ts';
import { readWrittenReaction } from '#adapters/reactions/read-written-reaction.ts';
import { compileTemplate } from '#adapters/reactions/text-template.ts';
import type { FilledReaction, ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionFault, ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { readReaction } from '#domain/reaction-notes/read-reaction.ts';
import type { ReactionChecks } from '#domain/reaction-notes/written-reaction.ts';
import { err, type Result } from '#domain/shared/result.ts';
import { nearestName } from '#domain/text/nearest-name.ts';
import { programModule } from '#infrastructure/program/program-files.ts';
import { JobEnded, WorkerPool } from '#infrastructure/workers/worker-pool.ts';

/** What a server's reactions are validated against, besides their own format. */
export type LanguageOptions = Pick<ReactionChecks, 'senders' | 'folder' | 'operations' | 'input' | 'chosen'> &
  Readonly<{
    /** The time limit for filling a reaction, in ms. */
    maxMs?: number;
  }>;

/** The time limit for a thread to start on a busy machine, in ms. */
const maxStartMs = 60_000;

/**
 * Expressions in CEL, templates in Liquid and schedules in cron syntax. Whatever may take long runs in a thread that is
 * stopped at its deadline.
 */
export class ReactionLanguages implements Omit<ReactionLanguage, 'read'> {
  readonly #options: LanguageOptions;
  readonly #maxMs: number;
  readonly #pool: WorkerPool;
  readonly #compiled = new LRUCache<string, CompiledExpression>({ max: 1_000 });

  constructor(options: LanguageOptions) {
    this.#options = options;
    this.#maxMs = options.maxMs ?? 2_000;
    const module = programModule('adapters/reactions/reaction-jobs');
    this.#pool = new WorkerPool({ module, maxThreads: 2, maxJobMs: maxStartMs, maxWaiting: 1_000, maxMemoryMb: 128 });
  }

  /** Parses a note's text; null when it is not a reaction. */
  read(path: string, text: string): ReadReaction | null {
    const written = readWrittenReaction(path, text);
    if (written === null) return null;
    return readReaction(written, {
      ...this.#options,
      expression: (expression, names) => this.#checkExpression(expression, names),
      template: checkTemplate,
      schedule: checkSchedule,
    });
  }

  isMet({ condition }: ReactionNote, data: EventData): Result<boolean, string> | null {
    if (condition === null) return null;
    const compiled = this.#expression(condition);
    if (!compiled.ok) return compiled;
    return compiled.value.isPlain ? compiled.value.evaluate(data) : null;
  }

  async fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, string>> {
    const job: ReactionJob = { reaction, data };
    // A job may be stopped because of one ahead of it that hung: retry once.
    for (let tries = 1; ; tries += 1) {
      await this.#pool.run(null, maxStartMs);
      try {
        return await this.#pool.run<Result<FilledReaction | null, string>>(job, this.#maxMs);
      } catch (error) {
        if (!(error instanceof JobEnded)) throw error;
        if (tries === 2) return err(`It took more than ${this.#maxMs} ms, or too much memory, and was ended.`);
      }
    }
  }

  nextTime(pattern: string, zone: string | null, after: number): number | null {
    return cronOf(pattern, zone).nextRun(new Date(after))?.getTime() ?? null;
  }

  /** Stops the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #expression(text: string): Result<CompiledExpression, string> {
    const known = this.#compiled.get(text);
    if (known !== undefined) return { ok: true, value: known };
    const compiled = compileExpression(text);
    if (compiled.ok) this.#compiled.set(text, compiled.value);
    return compiled;
  }

  #checkExpression(text: string, names: readonly string[]): string | null {
    const compiled = this.#expression(text);
    return compiled.ok ? unknownName(compiled.value.names, names) : compiled.failure;
  }
}

function checkTemplate(text: string, names: readonly string[]): ReactionFault | null {
  const compiled = compileTemplate(text, 'note');
  if (!compiled.ok) return compiled.failure;
  const message = unknownName(compiled.value.names, names);
  return message === null ? null : { line: lineWith(text, compiled.value.names, names), message };
}

function lineWith(text: string, used: readonly string[], names: readonly string[]): number {
  const unknown = used.find((name) => !names.includes(name)) ?? '';
  return text.split('\n').findIndex((line) => line.includes(unknown)) + 1;
}

/** Reports the first unknown name; null while no names are known, since `when` is then the error. */
function unknownName(used: readonly string[], names: readonly string[]): string | null {
  const unknown = used.find((name) => !names.includes(name));
  if (unknown === undefined || names.length === 0) return null;
  const near = nearestName(unknown, names);
  const hint = near === null ? '' : ` Did you mean \`${near}\`?`;
  return `There is no \`${unknown.slice(0, 60)}\` with this \`when\`.${hint} There are ${names.join(', ')}.`;
}

function checkSchedule(pattern: string, zone: string | null): string | null {
  if (zone !== null && !isZone(zone)) return `There is no time zone \`${zone}\`; one is \`Europe/Vienna\`.`;
  if (pattern.split(/\s+/).length !== 5) return scheduleForm;
  try {
    return cronOf(pattern, zone).nextRun() === null ? 'The schedule never comes.' : null;
  } catch {
    return scheduleForm;
  }
}

const scheduleForm =
  'A schedule has five fields: minute, hour, day of the month, month, day of the week; `0 17 * * 5` is Fridays at five.';

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function cronOf(pattern: string, zone: string | null): Cron {
  return new Cron(pattern, { timezone: zone ?? 'UTC', paused: true, mode: '5-part' });
}
