import { z } from 'zod';
import { unknownNamed } from '#adapters/services/answers/name-lookup.ts';
import type { ExplainMissing } from '#adapters/services/definitions/provider.ts';
import { own } from '#domain/shared/own.ts';

/** What the operations are about whose `id` may be given as a name, by the first word of the operation's name. */
const kinds: Readonly<Record<string, Readonly<{ title: string; plural: string; list: string }>>> = {
  documents: { title: 'document', plural: 'documents', list: 'documents.list' },
  templates: { title: 'template', plural: 'templates', list: 'templates.list' },
};

/** How many are looked through for near names. */
const maxListed = 50;

const named = z.array(z.object({ id: z.string(), name: z.string() }));

/** Explains a document or template that is not there: with those whose names resemble what was given as the id. */
export const explainMissing: ExplainMissing = async ({ name: operation, input, failure }, { call }) => {
  const kind = own(kinds, operation.split('.')[0] ?? '');
  const { id } = input;
  if (failure.reason !== 'not_found' || kind === undefined || typeof id !== 'string') return null;
  const searched = await call(kind.list, { q: id, count: maxListed });
  const found = searched.ok ? (named.safeParse(searched.data).data ?? []) : [];
  const listed = found.length > 0 ? searched : await call(kind.list, { count: maxListed });
  const all = listed.ok ? (named.safeParse(listed.data).data ?? []) : [];
  const candidates = all.map((one) => ({ id: one.id, called: [one.name], shown: `${one.name} (id ${one.id})` }));
  return unknownNamed({ input: 'id', title: kind.title, plural: kind.plural, name: id }, { candidates });
};
