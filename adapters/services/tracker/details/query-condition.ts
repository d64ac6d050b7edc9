import { mapped } from '#adapters/services/answers/read-answers.ts';
import type { Loaded } from '#adapters/services/tracker/details/loaded-lists.ts';
import { refusal, selected } from '#adapters/services/tracker/details/matching.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** A condition in a vendor's query language; true or false where it is known without asking. */
export type Condition = string | boolean;

type Filter = Readonly<Record<string, unknown>>;

/**
 * How a member of a filter is asked for: by comparing a column, or by the ids of the records that a filter of their own
 * matches. `load` reads records that are then filtered; `find` reads those that match.
 */
export type Member<Column> = Readonly<
  | { column: Column }
  | { field: string; load(filter: Filter): Promise<Loaded> }
  | { field: string; find(filter: Filter): Promise<Loaded> }
>;

/** The members of a filter, by name. */
export type Members<Column> = Readonly<Record<string, Member<Column>>>;

/** What differs between query languages. */
export type QueryLanguage<Column> = Readonly<{
  /** That a field has one of these values, of which there is one at least. */
  oneOf(field: string, ids: readonly string[]): string;
  /** That a field is empty, or is not. */
  empty(field: string, isEmpty: boolean): string;
  /** The comparisons of a column; the name of one that the language has nothing like. */
  compared(column: Column, comparisons: Filter): Condition | Readonly<{ refused: string }>;
}>;

/** The most conditions of one filter. */
const maxConditions = 200;

/** Joins conditions; those whose truth is known decide, or are left out. */
export function joinedBy(word: 'AND' | 'OR', conditions: readonly Condition[]): Condition {
  const decides = word === 'OR';
  if (conditions.includes(decides)) return decides;
  const open = conditions.filter((one) => typeof one === 'string');
  if (open.length === 0) return !decides;
  return open.length === 1 ? (open[0] ?? '') : `(${open.join(` ${word} `)})`;
}

/** Translates a filter of the kind. What the language cannot say is refused, with its place. */
export async function conditionOf<Column>(
  filter: unknown,
  members: Members<Column>,
  language: QueryLanguage<Column>,
): Promise<Outcome<Condition>> {
  let count = 0;
  async function all(word: 'AND' | 'OR', parts: readonly (() => Promise<Outcome<Condition>>)[]) {
    const conditions: Condition[] = [];
    for (const part of parts) {
      const one = await part();
      if (!one.ok) return one;
      conditions.push(one.data);
    }
    return succeeded(joinedBy(word, conditions));
  }
  async function whole(part: unknown, place: string): Promise<Outcome<Condition>> {
    if (!isObject(part)) return refusal(place);
    const entries = Object.entries(part);
    count += entries.length;
    if (count > maxConditions) return failed('invalid_input', `\`filter\` has more than ${maxConditions} conditions.`);
    const each = entries.map(
      ([name, value]) =>
        () =>
          named(name, value, `${place}.${name}`),
    );
    return all('AND', each);
  }
  async function named(name: string, value: unknown, place: string): Promise<Outcome<Condition>> {
    if ((name === 'and' || name === 'or') && Array.isArray(value)) {
      const each = value.map((one, index) => () => whole(one, `${place}[${index}]`));
      return all(name === 'and' ? 'AND' : 'OR', each);
    }
    const member = own(members, name);
    if (member === undefined || !isObject(value)) return refusal(place);
    if ('field' in member) return related(member, value, { place, language });
    const compared = language.compared(member.column, value);
    return typeof compared === 'object' ? refusal(`${place}.${compared.refused}`) : succeeded(compared);
  }
  return whole(filter, 'filter');
}

async function related<Column>(
  member: Exclude<Member<Column>, { column: Column }>,
  filter: Filter,
  { place, language }: Readonly<{ place: string; language: QueryLanguage<Column> }>,
): Promise<Outcome<Condition>> {
  const { field } = member;
  const isEmpty = filter['null'];
  if (typeof isEmpty === 'boolean' && Object.keys(filter).length === 1)
    return succeeded(language.empty(field, isEmpty));
  const within = isObject(filter['some']) ? filter['some'] : filter;
  const id = onlyId(within);
  if (id !== null) return succeeded(language.oneOf(field, [id]));
  const loaded = 'load' in member ? await member.load(within) : await member.find(within);
  const found = loaded.ok && 'load' in member ? selected(loaded.data, within, place) : loaded;
  return mapped(
    found,
    (list) =>
      list.length > 0 &&
      language.oneOf(
        field,
        list.map((one) => one.id),
      ),
  );
}

/** The id that a filter asks for and nothing else, which needs no look-up; null for another filter. */
function onlyId(filter: Filter): string | null {
  const id = Object.keys(filter).length === 1 ? filter['id'] : null;
  const eq = isObject(id) && Object.keys(id).length === 1 ? id['eq'] : null;
  return typeof eq === 'string' ? eq : null;
}
