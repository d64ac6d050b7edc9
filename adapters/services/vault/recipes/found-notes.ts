import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { foundNotes } from '#adapters/services/vault/outputs.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import type { SearchHit } from '#application/ports/vault-folder.ts';
import { noteName } from '#domain/notes/vault-path.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { excerptsOf } from '#domain/vault-queries/excerpts.ts';
import { inOneLine, searchTerms } from '#domain/vault-queries/search-terms.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

const recipe = recipesOver(rows);

const hitList = z.array(
  z.object({
    filename: z.string(),
    matches: z.array(
      z.object({
        context: z.string(),
        match: z.object({ start: z.int().min(0), end: z.int().min(0), source: z.string().default('content') }),
      }),
    ),
  }),
);

type Hit = Pick<SearchHit, 'filename'> &
  Readonly<{
    matches: readonly Readonly<{ match: Readonly<{ start: number; end: number; source: string }>; context: string }>[];
  }>;

/** The characters that are shown beside a match, unless the caller says how many. */
export const usualContext = 40;

/** The place of a page among the notes that were found, and their number. */
type Page = Readonly<{ from: number; total: number; contextLength: number }>;

/** The answer of a search: the notes of one page, each with the best places that match. */
export async function foundPage(hits: readonly Hit[], { from, total, contextLength }: Page): Promise<Outcome> {
  const end = from + hits.length;
  const next = hits.length > 0 && end < total ? String(end) : null;
  const slices = new TimeSlices();
  const found: unknown[] = [];
  for (const { filename, matches } of hits) {
    const places = matches.flatMap(({ match: { source, ...match }, context }) =>
      source === 'filename' ? [] : [{ ...match, context }],
    );
    const { shown, more } = excerptsOf(
      places.toSorted((a, b) => a.start - b.start),
      contextLength,
    );
    found.push({ filename, matches: shown, ...(more === 0 ? {} : { more }) });
    if (slices.isUsedUp) await slices.next();
  }
  return succeeded(found, { next, hasMore: next !== null, total });
}

/** Whether a note has a phrase, in its name or where its first word matches. */
function hasPhrase({ filename, matches }: Hit, phrase: string): boolean {
  const texts = [noteName(filename), ...matches.map(({ context }) => context)];
  return texts.some((text) => inOneLine(text).toLowerCase().includes(phrase));
}

/** The tool that finds notes by words, in pages (VAULT-021). */
export const searchRecipes = {
  'search.notes': recipe(
    'read',
    'Finds notes whose name or text has all the words, or a "phrase" in quotes, with the lines of up to three matches. By properties, tags or folder use vault_search_advanced; filename is the path for vault_note_read',
    {
      query: z.string().min(1).max(1_000).describe('Words to look for, such as "acme renewal"; case is ignored'),
      contextLength: z.int().min(0).max(2_000).default(usualContext).describe('Characters shown beside a match'),
      limit: z.int().min(1).max(100).default(20).describe('Notes a page'),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, { error: 'must be next of the page before' })
        .optional()
        .describe('next of the page before'),
    },
    {
      tool: 'vault_search',
      standsFor: ['search.simple'],
      title: 'Finds notes by words',
      output: foundNotes,
      isIdempotent: true,
    },
    async (call, { query, contextLength, limit, cursor }) => {
      const terms = searchTerms(query);
      const phrases = terms.filter((term) => term.includes(' '));
      const around = Math.max(contextLength, ...phrases.map(({ length }) => length));
      const found = await call('search.simple', { query: terms.join(' ').slice(0, 1_000), contextLength: around });
      if (!found.ok) return found;
      const hits = hitList.safeParse(found.data);
      if (!hits.success) return failed('unavailable', 'The vault answered with something that is not a list of notes.');
      const whole = hits.data.filter((hit) => phrases.every((phrase) => hasPhrase(hit, phrase)));
      const from = Number(cursor ?? 0);
      return foundPage(whole.slice(from, from + limit), { from, total: whole.length, contextLength: around });
    },
  ),
} as const;
