/** A request as a handler sees it: the parts of its path by name, its query, and its body as JSON or as bytes. */
export type Asked = Readonly<{
  method: string;
  path: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
  bytes: Uint8Array;
}>;

/** An answer: JSON, bytes as a stream, or nothing (204). */
export type Reply = Readonly<{
  status: number;
  json?: unknown;
  stream?: AsyncIterable<Uint8Array>;
  headers?: Readonly<Record<string, string>>;
}>;

/** A refusal in the provider's words. */
export type Refusal = Readonly<{ code: string; message: string; details: Readonly<Record<string, unknown>> }>;

/** An answer with a body. */
export const ok = (json: unknown, status = 200): Reply => ({ status, json });

/** There is nothing. */
export const nothing: Reply = { status: 204 };

/** A refusal. */
export const refusal = (code: string, message: string, details: Readonly<Record<string, unknown>> = {}): Refusal => ({
  code,
  message,
  details,
});

/** An error answer: the refusal is the whole body. */
export const failing = (refused: Refusal, status = 400): Reply => ({ status, json: { ...refused, status: 'error' } });

/** What became of one record of a write. */
export type Outcome = Readonly<{ code: string; status: 'success' | 'error'; message: string; details: unknown }>;

/** One record was written. */
export const done = (message: string, details: unknown, code = 'SUCCESS'): Outcome => ({
  code,
  status: 'success',
  message,
  details,
});

/** One record was refused. */
export const refused = ({ code, message, details }: Refusal): Outcome => ({ code, status: 'error', message, details });

/** A write's answer: `good` when all went well, 207 when some did, 400 when none did. */
export function written(key: string, outcomes: readonly Outcome[], good: number): Reply {
  const errors = outcomes.filter(({ status }) => status === 'error').length;
  const status = errors === 0 ? good : errors === outcomes.length ? 400 : 207;
  return ok({ [key]: outcomes }, status);
}

/** The named list of objects in a body; null when it is not there. */
export function listIn(body: unknown, key: string): readonly Readonly<Record<string, unknown>>[] | null {
  const object = objectOf(body);
  const list = object?.[key];
  if (!Array.isArray(list)) return null;
  const objects = list.map(objectOf);
  return objects.every((item) => item !== null) ? objects : null;
}

/** An object with its members; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
