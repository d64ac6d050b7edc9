import type { Answer } from '#adapters/vault-folder/routes/answer.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import type { Awaitable } from '#domain/shared/result.ts';

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
