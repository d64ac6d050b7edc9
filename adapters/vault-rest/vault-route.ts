import type { Answer } from '#adapters/vault-rest/answer.ts';
import type { Awaitable } from '#domain/shared/result.ts';

/** A request that has passed authentication. */
export type VaultRequest = Readonly<{
  method: string;
  /** The path as sent, percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  /** Returns a header's value by its lower-cased name. */
  header(name: string): string | undefined;
  body: Buffer;
}>;

/** A route: `pattern` has `{name}` for one segment and a final `{+name}` for the rest; a final slash is optional. */
export type VaultRoute = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  pattern: string;
  summary: string;
  run(request: VaultRequest, parts: Readonly<Record<string, string>>): Awaitable<Answer>;
}>;

/** The methods that a file, the active note and a periodic note share. */
export const fileMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The verb for each method, for summaries. */
export const verbs = {
  GET: 'Reads',
  POST: 'Appends to',
  PUT: 'Writes',
  PATCH: 'Changes a part of',
  DELETE: 'Deletes',
} as const;
