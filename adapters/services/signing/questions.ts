import { z } from 'zod';
import { idText, recordsOf, stateOf, textOr } from '#adapters/services/answered-records.ts';
import type { operations } from '#adapters/services/signing/operations.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';

const document = z.looseObject({ id: idText, name: textOr, status: textOr, date_modified: textOr });

/** What the tools over all services ask of a signing service. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    {
      operation: 'documents.list',
      input: { q: query, count: Math.min(limit, 100) },
      records: recordsOf(document, ({ id, name, status, date_modified: time }) => ({
        kind: 'document',
        id,
        title: name ?? id,
        state: stateOf(status?.replace(/^document\./, '')),
        time: time ?? null,
        link: null,
        at: { operation: 'documents.get', id },
      })),
    },
  ],
};
