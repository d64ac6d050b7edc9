import type { AskServices, ServiceQuestion, Unanswered } from '#application/workspace/ask-services.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { BriefRecord } from '#domain/workspace/brief-subject.ts';
import { mergedRecords } from '#domain/workspace/merged-records.ts';

/** The maximum number of calls to one service. */
const maxCalls = 25;

/** One brief under way: the services that are asked, and what they have answered. */
export class Gathering {
  readonly #asked = new Set<string>();
  readonly #calls = new Map<ServiceKey, number>();
  readonly #found: BriefRecord[] = [];
  readonly unanswered: Unanswered[] = [];
  readonly full: ServiceQuestion[] = [];
  readonly #ask: (questions: readonly ServiceQuestion[]) => ReturnType<AskServices['ask']>;

  constructor(ask: (questions: readonly ServiceQuestion[]) => ReturnType<AskServices['ask']>) {
    this.#ask = ask;
  }

  /** The records that were answered, each once. */
  get records(): readonly BriefRecord[] {
    return mergedRecords(this.#found);
  }

  /** Asks without keeping the records, of which only those that turn out to be the subject count. */
  async look(questions: readonly ServiceQuestion[]): Promise<readonly BriefRecord[]> {
    const { records, unanswered } = await this.#ask(questions);
    this.unanswered.push(...unanswered);
    return mergedRecords(records.flat());
  }

  /** Asks what was not asked before, of services that have answered so far; false when there was nothing. */
  async ask(questions: readonly ServiceQuestion[]): Promise<boolean> {
    const fresh = questions.filter((one) => this.#isFresh(one));
    if (fresh.length === 0) return false;
    const { records, unanswered, full } = await this.#ask(fresh);
    this.#found.push(...records.flat());
    this.unanswered.push(...unanswered);
    this.full.push(...full);
    return true;
  }

  #isFresh({ service, question: { operation, input } }: ServiceQuestion): boolean {
    const key = `${service} ${operation} ${JSON.stringify(input)}`;
    const calls = this.#calls.get(service) ?? 0;
    const isSilent = this.unanswered.some((one) => one.service === service && one.reason === 'unavailable');
    if (this.#asked.has(key) || isSilent || calls >= maxCalls) return false;
    this.#asked.add(key);
    this.#calls.set(service, calls + 1);
    return true;
  }
}
