/** Names of fields that may hold a secret: their values are never printed, on the first three levels of a logged object. */
export const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'api_key',
  'api_token',
]);

const deepest = 3;

/**
 * Replaces each secret in the fields of a log line by `[redacted]`. Returns the object itself when it holds none and
 * nothing nested: most lines are flat, and pino's own redaction by wildcard costs more than the rest of a line.
 */
export function redacted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return needsCopy(fields) ? copied(fields, 1) : fields;
}

function needsCopy(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).some(
    ([name, value]) => secretNames.has(name) || (typeof value === 'object' && value !== null),
  );
}

function copied(fields: Readonly<Record<string, unknown>>, level: number, isError = false): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    // An error's own `code` is a word such as ECONNRESET.
    const isSecret = secretNames.has(name) && !(isError && name === 'code');
    copy[name] = isSecret ? '[redacted]' : within(value, level);
  }
  return copy;
}

function within(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null || level >= deepest) return value;
  if (value instanceof Error) return copied(errorMembers(value), level + 1, true);
  return Array.isArray(value) ? value.map((entry) => within(entry, level + 1)) : copied({ ...value }, level + 1);
}

function errorMembers(error: Error): Record<string, unknown> {
  const { message, stack, cause } = error;
  const members = { ...Object.fromEntries(Object.entries(error)), type: error.constructor.name, message, stack };
  return cause instanceof Error ? { ...members, cause: [cause.message, cause.stack] } : members;
}
