import { z } from 'zod';
import { describedValue, expectation, isMissing, typeName } from '#adapters/input/expectation.ts';
import { type BadPlace, badPlaces, isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { echoed, type InputError, quoted, unknownName } from '#domain/operations/input-error.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { nearest } from '#domain/text/nearest.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** The maximum number of errors reported for one input, and of values listed in one of them. */
const maxErrors = 20;

/** The names under which a caller sent values that the schema names differently, by the schema's name. */
export type SentNames = ReadonlyMap<string, string>;

/**
 * Validates outside data against a schema: the arguments of a tool, a body, a query. The failure lists every error, with
 * what was given, what is accepted and what was probably meant. Null counts as absent where the schema does not accept
 * it.
 */
export function checkInput<Type extends z.ZodType>(
  type: Type,
  value: unknown,
  sent: SentNames = new Map(),
): Result<z.output<Type>, readonly InputError[]> {
  if (isTooDeep(value)) return err([{ path: [], message: `The input is nested more than ${maxDepth} levels deep.` }]);
  const bad = badPlaces(value);
  if (bad.length > 0) return err(bad.slice(0, maxErrors).map((place) => badPlaceError(type, place)));
  return parsed(type, value, sent);
}

function parsed<Type extends z.ZodType>(
  type: Type,
  value: unknown,
  sent: SentNames,
): Result<z.output<Type>, readonly InputError[]> {
  const { success, data, error } = type.safeParse(value);
  if (success) return ok(data);
  const rest = withoutNulls(value, error.issues);
  return rest === value ? err(inputErrors(type, value, sent)) : parsed(type, rest, sent);
}

function badPlaceError(type: z.ZodType, { path, fault }: BadPlace): InputError {
  if (fault === 'surrogate') {
    return { path, message: `${subject(path)} must be well-formed Unicode: it has half of a surrogate pair.` };
  }
  return path.length === 1 && type instanceof z.ZodObject
    ? unknownName(path, { known: Object.keys(type.shape) })
    : { path, message: `${subject(path)} has a name that nothing takes.` };
}

/** Places in a value by name; members below a member are its own places. */
type Places = Map<string, Places>;

/**
 * Drops the members that are null where the schema reported an error; returns the same value if there are none. Models
 * in strict mode send null for every argument that they leave out.
 */
function withoutNulls(value: unknown, issues: readonly Issue[]): unknown {
  const places: Places = new Map();
  collect(places, issues);
  return without(value, places);
}

function collect(places: Places, issues: readonly Issue[]): void {
  for (const issue of issues) {
    const place = issue.path.map(String).reduce((above, name) => {
      const below: Places = above.get(name) ?? new Map();
      above.set(name, below);
      return below;
    }, places);
    if (issue.code === 'invalid_union') collect(place, issue.errors.flat());
  }
}

function without(value: unknown, places: Places): unknown {
  if (typeof value !== 'object' || value === null || places.size === 0) return value;
  const isList = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const rest = members.flatMap(([name, member]) => {
    const below = places.get(name);
    if (below === undefined) return [[name, member] as const];
    return member === null && !isList ? [] : [[name, without(member, below)] as const];
  });
  const isSame = rest.length === members.length && rest.every(([, member], index) => member === members[index]?.[1]);
  if (isSame) return value;
  return isList ? rest.map(([, member]) => member) : Object.fromEntries(rest);
}

/** Lists the errors in a value that a program returned; empty when it conforms. It may hold any text. */
export function schemaErrors(type: z.ZodType, value: unknown): readonly InputError[] {
  return type.safeParse(value).success ? [] : inputErrors(type, value, new Map());
}

/**
 * Lists the errors in a value. Messages of the schema itself are kept; all others are written here, with what was given
 * and what is accepted.
 */
function inputErrors(type: z.ZodType, value: unknown, sent: SentNames): readonly InputError[] {
  const notes = new Notes();
  const { error } = type.safeParse(value, { error: (issue) => notes.mark(issue) });
  const issues = error?.issues.slice(0, maxErrors) ?? [];
  return issues.flatMap((issue) => errorsOf(asSent(issue, sent), [], notes)).slice(0, maxErrors);
}

/** The issue at the place that the caller named. */
function asSent(issue: Issue, sent: SentNames): Issue {
  const [first, ...rest] = issue.path;
  const name = typeof first === 'string' ? sent.get(first) : undefined;
  return name === undefined ? issue : { ...issue, path: [name, ...rest] };
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
  const missing = known.filter(
    (name) => !Object.hasOwn(given, name) && shape[name]?.safeParse(undefined).success === false,
  );
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
  const values = known.slice(0, maxErrors).map((value) => `"${value}"`);
  const more = known.length > maxErrors ? ` and ${known.length - maxErrors} more` : '';
  const right = known.length === 1 ? values.join('') : `one of ${values.join(', ')}${more}`;
  return { path, message: `${subject(path)} must be ${right}, not ${given}.${hint}`, known, nearest: near };
}

function subject(path: readonly string[]): string {
  return path.length === 0 ? 'The input' : quoted(path.join('.'));
}

function withStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
