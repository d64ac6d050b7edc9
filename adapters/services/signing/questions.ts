import { z } from 'zod';
import {
  emailsOf,
  idText,
  joinedById,
  joinedByName,
  recordsOf,
  stateOf,
  textOr,
} from '#adapters/services/answers/answered-records.ts';
import type { operations } from '#adapters/services/signing/operations.ts';
import type { AnsweredRecord, ServiceQuestions } from '#application/ports/service-questions.ts';

const document = z.looseObject({ id: idText, name: textOr, status: textOr, date_modified: textOr });
const documents = recordsOf(
  document,
  ({ id, name, status, date_modified: time }): AnsweredRecord => ({
    kind: 'document',
    id,
    title: name ?? id,
    state: stateOf(status?.replace(/^document\./, '')),
    time: time ?? null,
    link: null,
    at: { operation: 'documents.get', id },
  }),
);

const recipients = z
  .array(z.looseObject({ email: textOr, has_completed: z.boolean().nullish().catch(null) }))
  .nullish()
  .catch([]);
const details = recordsOf(document.extend({ recipients }), (one): AnsweredRecord => {
  const open = (one.recipients ?? []).flatMap((each) => (each.has_completed === true ? [] : (each.email ?? [])));
  const state = one.status?.replace(/^document\./, '');
  const isSent = state === 'sent' || state === 'viewed';
  return {
    kind: 'document',
    id: one.id,
    title: one.name ?? one.id,
    state: stateOf(state, isSent && open.length > 0 ? `not signed by ${open.slice(0, 5).join(' ')}` : null),
    time: one.date_modified ?? null,
    link: null,
    at: { operation: 'documents.get', id: one.id },
    carries: { emails: emailsOf((one.recipients ?? []).map(({ email }) => email)) },
  };
});

const contact = z.looseObject({ id: idText, email: textOr, first_name: textOr, last_name: textOr });
const contacts = recordsOf(
  contact,
  ({ id, email, first_name: first, last_name: last }): AnsweredRecord => ({
    kind: 'contact',
    id,
    title: stateOf(first, last) ?? email ?? id,
    state: stateOf(email),
    time: null,
    link: null,
    carries: { emails: emailsOf([email]) },
  }),
);

/** The maximum number of documents of one question. */
const count = 50;

/** What the tools over all services ask of a signing service. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    { operation: 'documents.list', input: { q: query, count: Math.min(limit, 100) }, records: documents },
  ],
  brief: ({ names, organizations, emails, records, others }) => [
    ...[...names, ...organizations].map(
      (q) =>
        ({ operation: 'documents.list', input: { q, count }, limit: count, records: joinedByName(documents) }) as const,
    ),
    ...emails.map((email) => ({ operation: 'contacts.list', input: { email }, records: contacts }) as const),
    ...records
      .filter(({ service, kind }) => service === 'signing' && kind === 'contact')
      .map(
        ({ id }) =>
          ({
            operation: 'documents.list',
            input: { contact_id: id, count },
            limit: count,
            records: joinedById(documents),
          }) as const,
      ),
    ...others
      .filter(({ service, kind }) => service === 'signing' && kind === 'document')
      .map(
        ({ id }) =>
          ({ operation: 'documents.details', input: { id }, records: (one: unknown) => details([one]) }) as const,
      ),
  ],
};
