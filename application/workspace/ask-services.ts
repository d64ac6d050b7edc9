import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { AnsweredRecord, Question, RecordPages } from '#application/ports/service-questions.ts';
import { orWhenAborted } from '#application/workspace/or-when-aborted.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import type { BriefRecord } from '#domain/workspace/brief-subject.ts';

/** A question to one service. */
export type ServiceQuestion = Readonly<{ service: ServiceKey; question: Question }>;

/** What a service did not answer, and why. */
export type Unanswered = Readonly<{ service: ServiceKey; reason: Failure['reason']; message: string }>;

/**
 * The answers by question, in order; a question that failed has none. `full` are the questions whose answers reached
 * their limit, so that there may be more.
 */
export type Answers = Readonly<{
  records: readonly (readonly BriefRecord[])[];
  unanswered: readonly Unanswered[];
  full: readonly ServiceQuestion[];
}>;

/** The dependencies of asking: `timeoutMs` is how long each question may take. */
export type AskServicesDependencies = Readonly<{
  run: RunOperationFor;
  pages: RecordPages;
  names: ServiceNames;
  timeoutMs: number;
}>;

/** The maximum length of the texts of a record, in characters. */
const maxText = 300;

/**
 * Asks several services side by side under a user's rights. A question that takes too long, fails or is answered with
 * something unreadable is reported, and holds up no other.
 */
export class AskServices {
  readonly #dependencies: AskServicesDependencies;

  constructor(dependencies: AskServicesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks them as the user; `signal` cancels all. */
  async ask(user: User, questions: readonly ServiceQuestion[], signal: AbortSignal): Promise<Answers> {
    const services = [...new Set(questions.map(({ service }) => service))];
    const [answers, pageOf] = await Promise.all([
      Promise.all(questions.map((one) => this.#answer(user, one, signal))),
      this.#dependencies.pages.of(user.id, services),
    ]);
    const records = answers.map((answer, index) => {
      const service = questions[index]?.service ?? '';
      return answer.ok ? answer.value.map((record) => hitOf(service, record, pageOf(service, record))) : [];
    });
    const unanswered = answers.flatMap((answer, index) => {
      const service = questions[index]?.service ?? '';
      return answer.ok ? [] : [{ service, reason: answer.failure.reason, message: answer.failure.message }];
    });
    const full = questions.filter(
      ({ question: { limit } }, index) => (records[index]?.length ?? 0) >= (limit ?? Infinity),
    );
    return { records, unanswered: withoutRepeats(unanswered), full };
  }

  async #answer(
    user: User,
    { service, question }: ServiceQuestion,
    signal: AbortSignal,
  ): Promise<Result<readonly AnsweredRecord[], Failure>> {
    const { run, names, timeoutMs } = this.#dependencies;
    const called = names.of(service);
    const late = failed('unavailable', `The ${called} did not answer within ${timeoutMs / 1_000} s.`);
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const call = { service, name: question.operation, input: question.input, signal: until };
    const outcome = await orWhenAborted(run(user, call), until, late);
    if (!outcome.ok) {
      const isMissing = question.isOptional === true && outcome.reason === 'rejected' && outcome.sent === 'no';
      if (outcome.reason === 'not_found' || isMissing) return ok([]);
      return err(until.aborted ? late : outcome);
    }
    const records = question.records(outcome.data);
    return records === null
      ? err(failed('unavailable', `The ${called} answered with something that cannot be read.`))
      : ok(records);
  }
}

function hitOf(service: ServiceKey, record: AnsweredRecord, page: string | null): BriefRecord {
  const { kind, id, title, state, time, link, carries } = record;
  const cut = (text: string) => text.slice(0, maxText).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return {
    title: cut(title),
    kind,
    service,
    id: id.slice(0, maxText),
    state: state === null ? null : cut(state),
    time: time === null ? null : cut(time),
    link: link !== null && /^(?:https?|vault):\/\//.test(link) ? link : page,
    ...(carries === undefined ? {} : { carries }),
  };
}

function withoutRepeats(unanswered: readonly Unanswered[]): readonly Unanswered[] {
  return [...new Map(unanswered.map((one) => [`${one.service} ${one.message}`, one])).values()];
}
