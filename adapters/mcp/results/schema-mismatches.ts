import type { SchemaMismatch } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

type Members = Readonly<Record<string, unknown>>;

/** Structured content that conforms to its schema, and notes on what was removed. */
export type ConformedContent = Readonly<{ content: Members; notes: readonly string[] }>;

/** The maximum number of mismatches that are reported. */
const maxRemarks = 5;

/**
 * Removes the parts of structured content that do not conform to its schema; a client would reject the whole answer
 * otherwise. Schemas require no member of a record and no list item, so the rest conforms. A null member counts as
 * missing, and is not reported.
 */
export function conformToSchema(content: Members, mismatches: readonly SchemaMismatch[]): ConformedContent {
  const cuts: Cuts = new Map();
  for (const { path } of mismatches) addCut(cuts, path);
  const reported = mismatches.filter(({ path }) => !isEmptyMember(content, path));
  return { content: withoutMembers(content, cuts), notes: notesOn(content, reported) };
}

/** The note for an answer that as a whole has another type than documented. */
export function wholeMismatch(data: unknown, documented: string): string {
  return sentence('The answer', 1, typeName(data), documented);
}

/** The members and items to remove, by name or index; a nested map where only something inside is removed. */
type Cuts = Map<PropertyKey, Cuts | null>;

function addCut(cuts: Cuts, [first, ...rest]: readonly PropertyKey[]): void {
  if (first === undefined || cuts.get(first) === null) return;
  if (rest.length === 0) {
    cuts.set(first, null);
    return;
  }
  const inside: Cuts = cuts.get(first) ?? new Map();
  cuts.set(first, inside);
  addCut(inside, rest);
}

function withoutMembers(value: Members, cuts: Cuts): Members {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => left(member, cuts.get(name)).map((one) => [name, one])),
  );
}

/** The value after its removals, in a list; an empty list when it is itself removed. */
function left(value: unknown, cuts: Cuts | null | undefined): readonly unknown[] {
  if (cuts === undefined) return [value];
  if (cuts === null) return [];
  if (Array.isArray(value)) return [value.flatMap((item: unknown, index) => left(item, cuts.get(index)))];
  return [isObject(value) ? withoutMembers(value, cuts) : value];
}

/** One note for each kind of mismatch: the same path in all items of a list is one kind. */
function notesOn(content: Members, mismatches: readonly SchemaMismatch[]): readonly string[] {
  const counts = new Map<string, Readonly<{ place: string; came: string; documented: string; count: number }>>();
  for (const { path, documented } of mismatches) {
    const [place, came] = [placeName(path), typeName(valueAt(content, path))];
    const kind = `${place} ${came} ${documented}`;
    counts.set(kind, { place, came, documented, count: (counts.get(kind)?.count ?? 0) + 1 });
  }
  const kinds = [...counts.values()];
  const reported = kinds
    .slice(0, maxRemarks)
    .map(({ place, count, came, documented }) => sentence(place, count, came, documented));
  return kinds.length > maxRemarks
    ? [...reported, `So did ${kinds.length - maxRemarks} others; what is documented is in the structured content.`]
    : reported;
}

function sentence(place: string, count: number, came: string, documented: string): string {
  const often = count === 1 ? '' : ` ${count} times`;
  return `${place} came${often} as ${came} where ${documented} is documented; it is in this text only.`;
}

/** Formats the path as `data[].value`, in backticks. */
function placeName(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${String(step).slice(0, 60)}`));
  return `\`${steps.join('').replace(/^\./, '')}\``;
}

function isEmptyMember(content: Members, path: readonly PropertyKey[]): boolean {
  return typeof path.at(-1) === 'string' && valueAt(content, path) === null;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, step) => Object(inside)[step], value);
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  const names: Readonly<Record<string, string>> = { string: 'text', number: 'a number', boolean: 'true or false' };
  return own(names, typeof value) ?? 'an object';
}
