import { z } from 'zod';
import { idText, joinedByName, recordsOf, stateOf, textOr } from '#adapters/services/answers/answered-records.ts';
import type { operations } from '#adapters/services/tracker/operations.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import { searchedNames } from '#domain/workspace/brief-subject.ts';

const named = z.looseObject({ name: textOr, type: textOr }).nullish().catch(null);
const issue = z.looseObject({
  identifier: idText,
  title: textOr,
  state: named,
  assignee: named,
  dueDate: textOr,
  updatedAt: textOr,
  url: textOr,
});
const titled = z.looseObject({
  id: idText,
  name: textOr,
  title: textOr,
  status: named,
  updatedAt: textOr,
  url: textOr,
});

/** The types of the states in which an issue is done with. */
const closedTypes: readonly unknown[] = ['completed', 'canceled', 'duplicate'];

const issues = recordsOf(issue, ({ identifier, title, state, assignee, dueDate, updatedAt, url }) => ({
  kind: 'issue',
  id: identifier,
  title: title ?? identifier,
  state: stateOf(state?.name, assignee?.name, dueDate == null ? null : `due ${dueDate}`),
  time: updatedAt ?? null,
  link: url ?? null,
  carries: { isOpen: !closedTypes.includes(state?.type) },
}));
const others = (kind: string) =>
  recordsOf(titled, ({ id, name, title, status, updatedAt, url }) => ({
    kind,
    id,
    title: name ?? title ?? id,
    state: stateOf(status?.name),
    time: updatedAt ?? null,
    link: url ?? null,
  }));

/** The form of an issue's identifier, 'ENG-12'. */
const identifier = /^[a-z][a-z0-9]*-\d+$/i;

/** What the tools over all services ask of a tracker; an identifier is also looked up as such. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    ...(identifier.test(query)
      ? [
          {
            operation: 'issues.get',
            input: { id: query.toUpperCase() },
            records: (one: unknown) => issues([one]),
          } as const,
        ]
      : []),
    { operation: 'issues.search', input: { query, first: limit }, records: issues },
    { operation: 'projects.search', input: { query, first: limit }, records: others('project') },
    { operation: 'documents.search', input: { query, first: limit }, isOptional: true, records: others('document') },
  ],
  brief: (subject) => [
    ...searchedNames(subject).flatMap(
      (query) =>
        [
          { operation: 'issues.search', input: { query, first: 50 }, limit: 50, records: joinedByName(issues) },
          { operation: 'projects.search', input: { query, first: 10 }, records: joinedByName(others('project')) },
        ] as const,
    ),
    ...subject.others
      .filter(({ service, kind }) => service === 'tracker' && kind === 'issue')
      .map(({ id }) => ({ operation: 'issues.get', input: { id }, records: (one: unknown) => issues([one]) }) as const),
  ],
};
