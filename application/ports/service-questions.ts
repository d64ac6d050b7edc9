import type { BriefSubject } from '#domain/workspace/brief-subject.ts';
import type { Carried, FoundRecord } from '#domain/workspace/found-record.ts';

/**
 * A call of an operation that reads, and how its answer becomes records of any service; null when the answer cannot be
 * read. `limit` is the number of records after which the answer may lack some; `isOptional` that not all vendors have the
 * operation.
 */
export type Question<Operation extends string = string> = Readonly<{
  operation: Operation;
  input: Readonly<Record<string, unknown>>;
  limit?: number;
  isOptional?: true;
  records(data: unknown): readonly AnsweredRecord[] | null;
}>;

/**
 * A record of an answer; `at` is the call that would read it, by which the provider's page is known, `carries` what it
 * says of others.
 */
export type AnsweredRecord = FoundRecord &
  Readonly<{ at?: Readonly<{ operation: string; id: string }>; carries?: Carried }>;

/** What the tools over all services ask of one. Takes what was typed, and the maximum number of records of a question. */
export type ServiceQuestions<Operation extends string = string> = Readonly<{
  /** Finds its records by words. */
  search(query: string, limit: number): readonly Question<Operation>[];
  /** Reads the records that a text may be the id of; none by default. */
  byId?(id: string): readonly Question<Operation>[];
  /** Reads what it has of a subject, as far as that is known; the search for its name by default. */
  brief?(subject: BriefSubject): readonly Question<Operation>[];
}>;

/** Finds the web addresses of a user's records at their providers. */
export interface RecordPages {
  /** Returns, for one user, the function from a service's answered record to its page; null where it is not known. */
  of(userId: number, services: readonly string[]): Promise<(service: string, record: AnsweredRecord) => string | null>;
}
