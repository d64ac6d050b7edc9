import { type Answer, done, failureAnswer, json, refuse, withHeaders } from '#adapters/vault-rest/answer.ts';
import { answerOfRead, answerOnFile } from '#adapters/vault-rest/file-routes.ts';
import { queryLanguageOf } from '#adapters/vault-rest/media-types.ts';
import { fileMethods, type VaultRequest, type VaultRoute, verbs } from '#adapters/vault-rest/vault-route.ts';
import { noPeriodicNote } from '#application/vault/periodic-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault } from '#application/vault/vault.ts';
import { findPeriod, readDay } from '#domain/notes/periodic-notes.ts';
import { readVaultPath, type VaultPath } from '#domain/notes/vault-path.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';

/** All routes that need the key, in matching order (EMB-001). */
export function routesOf(vault: Vault): readonly VaultRoute[] {
  const onFile = (pattern: string, summaryOf: (verb: string) => string, run: VaultRoute['run']) =>
    fileMethods.map((method): VaultRoute => ({ method, pattern, summary: summaryOf(verbs[method]), run }));
  const active: VaultRoute['run'] = async (request) => {
    const path = await vault.active();
    return path.ok ? answerOnFile(vault, path.value, request, { begin: null }) : failureAnswer(path.failure);
  };
  const periodic: VaultRoute['run'] = (request, parts) => onPeriodicNote(vault, request, parts);
  return [
    ...onFile('/active/', (verb) => `${verb} the active note`, active),
    {
      method: 'GET',
      pattern: '/vault/',
      summary: 'Lists the vault',
      run: async () => jsonOf(await vault.list('')),
    },
    ...onFile(
      '/vault/{+path}',
      (verb) => (verb === verbs.GET ? 'Reads a file, or lists a folder' : `${verb} a file`),
      (request, { path = '' }) => withPath(path, (place) => onVaultFile(vault, request, place)),
    ),
    ...onFile('/periodic/{period}/', (verb) => `${verb} the current note of a period`, periodic),
    ...onFile(
      '/periodic/{period}/{year}/{month}/{day}/',
      (verb) => `${verb} the note of the period that a day lies in`,
      periodic,
    ),
    {
      method: 'POST',
      pattern: '/search/simple/',
      summary: 'Finds notes that hold all words of the query',
      run: (request) => searchWords(vault, request),
    },
    {
      method: 'POST',
      pattern: '/search/',
      summary: 'Finds notes by a query: JsonLogic over their note JSON, or DQL',
      run: (request) => searchByQuery(vault, request),
    },
    {
      method: 'GET',
      pattern: '/tags/',
      summary: 'Lists the tags with how often they are used',
      run: async () => json({ tags: await vault.tags() }),
    },
    {
      method: 'GET',
      pattern: '/commands/',
      summary: 'Lists the commands',
      run: () => json({ commands: vault.commands }),
    },
    {
      method: 'POST',
      pattern: '/commands/{commandId}/',
      summary: 'Runs a command',
      run: async (_, { commandId = '' }) => answerOf(await vault.run(safeDecode(commandId)), done),
    },
    {
      method: 'POST',
      pattern: '/open/{+filename}',
      summary: 'Opens a note, making it when it is missing',
      run: (_, { filename = '' }) =>
        withPath(filename, async ({ path }) =>
          answerOf(await vault.open(path), { status: 200, headers: {}, body: '' }),
        ),
    },
    {
      method: 'GET',
      pattern: '/vault-api.crt',
      summary: 'The certificate; there is none, for this vault is served without TLS',
      run: () => failureAnswer({ reason: 'no_certificate' }),
    },
  ];
}

function onVaultFile(vault: Vault, request: VaultRequest, place: VaultPath): Awaitable<Answer> {
  const { path, endsInSlash } = place;
  if (request.method === 'GET' && endsInSlash) return vault.list(path).then(jsonOf);
  if (request.method !== 'GET')
    return path === '' || endsInSlash ? failureAnswer({ reason: 'is_folder' }) : answerOnFile(vault, path, request);
  return answerOfRead(vault, path, request, async (failure) => jsonOf(await vault.listInstead(place, failure)));
}

/** Handles a method on a periodic note: GET and DELETE need it to exist, the others create it. */
async function onPeriodicNote(
  vault: Vault,
  request: VaultRequest,
  parts: Readonly<Record<string, string>>,
): Promise<Answer> {
  const period = findPeriod(parts['period'] ?? '');
  if (period === null) return refuse(40460);
  const { year, month = '', day: dayOfMonth = '' } = parts;
  const day = year === undefined ? null : readDay(year, month, dayOfMonth);
  if (year !== undefined && day === null) return failureAnswer({ reason: 'no_such_day' });
  const note = await vault.periodic(period, day);
  const needsNote = request.method === 'GET' || request.method === 'DELETE';
  if (needsNote && !note.isThere) return failureAnswer(noPeriodicNote(note));
  return answerOnFile(vault, note.path, request, note);
}

const [maxContextLength, maxQuery] = [10_000, 1_000];

async function searchWords(vault: Vault, { query }: VaultRequest): Promise<Answer> {
  const [words, ...others] = query.getAll('query');
  if (words === undefined || others.length > 0) return refuse(40090, "A single '?query=' parameter is required.");
  if (words.length > maxQuery) return refuse(40090, `A query may have ${maxQuery} characters.`);
  const asked = Number.parseInt(query.get('contextLength') ?? '', 10);
  const contextLength = Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), maxContextLength);
  const { hits, isTruncated } = await vault.searchWords(words, contextLength);
  return isTruncated ? withHeaders(json(hits), { 'Search-Truncated': 'true' }) : json(hits);
}

async function searchByQuery(vault: Vault, { header, body }: VaultRequest): Promise<Answer> {
  const type = header('content-type') ?? '';
  if (type === '') return refuse(40011);
  const language = queryLanguageOf(type);
  if (language === null) return refuse(40012);
  const text = body.toString('utf8');
  return jsonOf(await (language === 'dql' ? vault.searchByDql(text) : vault.searchByRule(text)));
}

const answerOf = (result: Result<unknown, VaultFailure>, success: Answer): Answer =>
  result.ok ? success : failureAnswer(result.failure);

const jsonOf = (result: Result<unknown, VaultFailure>): Answer =>
  result.ok ? json(result.value) : failureAnswer(result.failure);

function withPath(encoded: string, run: (path: VaultPath) => Awaitable<Answer>): Awaitable<Answer> {
  const path = readVaultPath(encoded);
  return path.ok ? run(path.value) : failureAnswer(path.failure);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
