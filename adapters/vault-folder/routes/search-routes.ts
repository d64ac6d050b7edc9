import { searchByDql } from '#adapters/vault-folder/dql/search-by-dql.ts';
import type { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import { queryLanguageOf } from '#adapters/vault-folder/notes/media-types.ts';
import { type Answer, json, refuse, refuseStatus, withHeaders } from '#adapters/vault-folder/routes/answer.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import type { VaultRoute } from '#adapters/vault-folder/routes/vault-route.ts';
import { searchByJsonLogic } from '#adapters/vault-folder/search/jsonlogic-search.ts';
import { searchNotes } from '#adapters/vault-folder/search/simple-search.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { Clock } from '#application/ports/clock.ts';

const defaultContext = 100;
const maxContextLength = 10_000;
const maxQuery = 1_000;
const maxRule = 64 * 1024;

type Searched = Readonly<{ keeper: IndexKeeper; work: TextWork; clock: Clock }>;

/** The routes of the two searches. Both wait for the index for a while (EMB-021). */
export function searchRoutes({ keeper, work, clock }: Searched): readonly VaultRoute[] {
  return [
    {
      method: 'POST',
      pattern: '/search/simple/',
      summary: 'Finds notes that hold all words of the query',
      run: (request) => simple(keeper, request),
    },
    {
      method: 'POST',
      pattern: '/search/',
      summary: 'Finds notes by a query: JsonLogic over their note JSON, or DQL',
      run: (request) => byQuery({ keeper, work, clock }, request),
    },
  ];
}

async function simple(keeper: IndexKeeper, { query }: VaultRequest): Promise<Answer> {
  const [words, ...others] = query.getAll('query');
  if (words === undefined || others.length > 0) return refuse(40090, "A single '?query=' parameter is required.");
  if (words.length > maxQuery) return refuse(40090, `A query may have ${maxQuery} characters.`);
  const asked = Number.parseInt(query.get('contextLength') ?? '', 10);
  const contextLength = Number.isNaN(asked) ? defaultContext : Math.min(Math.max(asked, 0), maxContextLength);
  const { hits, isTruncated } = await searchNotes(await keeper.current(), words, contextLength);
  return isTruncated ? withHeaders(json(hits), { 'Search-Truncated': 'true' }) : json(hits);
}

async function byQuery({ keeper, work, clock }: Searched, request: VaultRequest): Promise<Answer> {
  const type = request.header('content-type') ?? '';
  if (type === '') return refuse(40011);
  const language = queryLanguageOf(type);
  if (language === null) return refuse(40012);
  if (language === 'dql') {
    const context = { index: await keeper.current(), work, now: clock.now() };
    const hits = await searchByDql(request.body.toString('utf8'), context);
    return hits.ok ? json(hits.value) : refuse(40070, hits.failure.message);
  }
  if (request.body.length > maxRule) return refuseStatus(413, `A query may have ${maxRule} bytes at most.`);
  const query = parse(request.body.toString('utf8'));
  if (query === undefined) return refuse(40015);
  const found = await searchByJsonLogic(await keeper.current(), work, query);
  return found.ok ? json(found.value) : refuse(40070, found.failure.message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
