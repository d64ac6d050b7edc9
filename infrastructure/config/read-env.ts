import type { z } from 'zod';

/** An error in an environment variable: what is wrong, and what is valid. */
export type SettingError = Readonly<{ variable: string; message: string }>;

/** Thrown with all errors in the environment. */
export class SettingErrors extends Error {
  readonly errors: readonly SettingError[];

  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ variable, message }) => `${variable}: ${message}`).join('\n'));
    this.name = 'SettingErrors';
    this.errors = errors;
  }
}

/**
 * Parses the environment with the schema. Empty values count as not set. Throws `SettingErrors` with all errors at
 * once; a variable that starts with one of `ownPrefixes` and is not in the schema is an error too, so that misspellings
 * are reported. `errorsAmong` returns the errors of settings that do not go together.
 */
export function readEnv<Schema extends z.ZodObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
  ownPrefixes: readonly string[],
  errorsAmong: (given: Readonly<Record<string, string>>) => readonly SettingError[] = () => [],
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
  const known = new Set(Object.keys(schema.shape));
  const unknown = Object.keys(given).filter(
    (name) => !known.has(name) && ownPrefixes.some((prefix) => name.startsWith(prefix)),
  );
  const errors = unknown.map((variable) => ({ variable, message: `is not a setting${nearest(variable, known)}` }));
  errors.push(...errorsAmong(given));
  const parsed = schema.safeParse(given);
  if (parsed.success && errors.length === 0) return parsed.data;
  const issues = parsed.success ? [] : parsed.error.issues;
  throw new SettingErrors([
    ...issues.map((issue) => ({ variable: String(issue.path[0] ?? ''), message: issue.message })),
    ...errors,
  ]);
}

function nearest(variable: string, known: ReadonlySet<string>): string {
  const best = [...known]
    .map((name) => ({ name, apart: distance(variable, name) }))
    .sort((a, b) => a.apart - b.apart)[0];
  return best !== undefined && best.apart <= 3 ? `; did you mean ${best.name}?` : '; remove it';
}

/** Levenshtein distance. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of left.split('').entries()) {
    const next = [i + 1];
    for (const [j, b] of right.split('').entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
