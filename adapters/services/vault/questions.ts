import { z } from 'zod';
import { recordsOf, stateOf } from '#adapters/services/answered-records.ts';
import type { operations } from '#adapters/services/vault/operations.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';

const note = z.looseObject({
  filename: z.string().min(1),
  matches: z.array(z.looseObject({ context: z.string() })).catch([]),
});

/** The address of a note among the resources of this server. */
const addressOf = (path: string): string => `vault://${path.split('/').map(encodeURIComponent).join('/')}`;

const notes = recordsOf(note, ({ filename, matches }) => ({
  kind: 'note',
  id: filename,
  title: filename.replace(/^.*\//, '').replace(/\.md$/, ''),
  state: stateOf(matches[0]?.context.slice(0, 160)),
  time: null,
  link: addressOf(filename),
}));

/** What the tools over all services ask of a vault. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    {
      operation: 'search.simple',
      input: { query, contextLength: 60 },
      records: (data) => notes(data)?.slice(0, limit) ?? null,
    },
  ],
};
