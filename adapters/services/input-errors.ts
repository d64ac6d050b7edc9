import { z } from 'zod';
import { describedValue, expectation, isMissing, typeName } from '#adapters/services/expectation.ts';
import { echoed, type InputError, quoted, unknownName } from '#domain/operations/input-error.ts';
import { nearest } from '#domain/text/nearest.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** The maximum number of errors reported for one input. */
export const maxErrors = 20;

/** A validated value, or all its errors. */
export type Checked<Value> = Readonly<{ ok: true; value: Value } | { ok: false; errors: readonly InputError[] }>;

/** Validates a value against a schema. */
export function checkInput<Type extends z.ZodType>(type: Type, value: unknown): Checked<z.output<Type>> {
  const parsed = type.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, errors: inputErrors(type, value) };
}

/**
 * Lists the errors in a value; empty when it is valid. Messages of the schema itself are kept; all others are written
 * here, with what was given and what is accepted.
 */
export function inputErrors(type: z.ZodType, value: unknown): readonly InputError[] {
  const notes = new Notes();
  const { error } = type.safeParse(value, { error: (issue) => notes.mark(issue) });
  const issues = error?.issues.slice(0, maxErrors) ?? [];
  return issues.flatMap((issue) => errorsOf(issue, [], notes)).slice(0, maxErrors);
}

/**
 * Records what zod exposes of an issue only while it is raised: the schema and the input. The issue's message is the
 * key.
 */
class Notes {
  readonly #raw = new Map<string, RawIssue>();

  mark(issue: RawIssue): string {
    const mark = `#${this.#raw.size}`;
    this.#raw.set(mark, issue);
    return mark;
  }

  /** The issue behind a message; null for a message of the schema itself. */
  find({ message }: Issue): RawIssue | null {
    return this.#raw.get(message) ?? null;
  }
}

function errorsOf(issue: Issue, above: readonly string[], notes: Notes): readonly InputError[] {
  const path = [...above, ...issue.path.map(String)];
  const raw = notes.find(issue);
  if (raw === null) return [{ path, message: `${subject(path)} ${withStop(issue.message)}` }];
  if (issue.code === 'unrecognized_keys') return unknownNames(issue.keys.slice(0, maxErrors), path, raw);
  if (issue.code === 'invalid_union' && !isMissing(raw)) return ofUnion(issue.errors, { path, raw, notes });
  if (issue.code === 'invalid_value' && !isMissing(raw)) return [ofValues(issue.values.map(String), path, raw)];
  return [{ path, message: `${subject(path)} ${expectation(issue, raw)}.` }];
}

function unknownNames(
  names: readonly string[],
  path: readonly string[],
  { inst, input }: RawIssue,
): readonly InputError[] {
  const shape = inst instanceof z.ZodObject ? inst.shape : {};
  const known = Object.keys(shape);
  const given = typeof input === 'object' && input !== null ? input : {};
  const missing = known.filter((name) => !(name in given) && shape[name]?.safeParse(undefined).success === false);
  return names.map((name) => unknownName([...path, name], { known, missing }));
}

type Place = Readonly<{ path: readonly string[]; raw: RawIssue; notes: Notes }>;

/**
 * The errors of the union branch that was meant, i.e. the one with the given type; when there is none, the types that
 * are accepted.
 */
function ofUnion(branches: readonly (readonly Issue[])[], { path, raw, notes }: Place): readonly InputError[] {
  const meant = branches.filter((issues) => !issues.some((issue) => isOtherType(issue, notes)));
  const [best] = meant.toSorted((left, right) => left.length - right.length);
  if (best !== undefined) return best.flatMap((issue) => errorsOf(issue, path, notes));
  const types = branches.flatMap((issues) => issues.flatMap((issue) => typesOf(issue)));
  const right = [...new Set(types)].join(' or ');
  return [{ path, message: `${subject(path)} must be ${right}, not ${describedValue(raw.input)}.` }];
}

/** Whether the issue is a value of another type at this very path. */
function isOtherType(issue: Issue, notes: Notes): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union')
    return issue.errors.every((issues) => issues.some((one) => isOtherType(one, notes)));
  if (issue.code === 'invalid_type') return true;
  return issue.code === 'invalid_value' && typeof notes.find(issue)?.input !== typeof issue.values[0];
}

function typesOf(issue: Issue): readonly string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(typesOf);
  if (issue.code === 'invalid_type') return [typeName(issue.expected)];
  return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
}

function ofValues(known: readonly string[], path: readonly string[], { input }: RawIssue): InputError {
  const near = typeof input === 'string' ? (nearest(input.slice(0, 100), known)[0] ?? null) : null;
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  const given = typeof input === 'string' ? `"${echoed(input)}"` : describedValue(input);
  const values = known.map((value) => `"${value}"`).join(', ');
  const right = known.length === 1 ? values : `one of ${values}`;
  return { path, message: `${subject(path)} must be ${right}, not ${given}.${hint}`, known, nearest: near };
}

function subject(path: readonly string[]): string {
  return path.length === 0 ? 'The input' : quoted(path.join('.'));
}

function withStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
