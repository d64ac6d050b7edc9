import { containsText } from '#domain/text/index-of-text.ts';
import type { DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import {
  fieldIn,
  fieldNamesOf,
  isTrue,
  kindOf,
  type Lambda,
  orderOf,
  writtenText,
} from '#domain/vault-queries/dql/dql-values.ts';
import {
  anyValue,
  type DqlFunction,
  forAll,
  forValues,
  isFunction,
  isList,
  isNumber,
  isObjectValue,
  isText,
  one,
  several,
  three,
  two,
} from '#domain/vault-queries/dql/functions/overloads.ts';
import { memberOf } from '#domain/vault-queries/dql/members.ts';
import { operate } from '#domain/vault-queries/dql/operators.ts';

type Within = (whole: unknown, part: unknown, scope: DqlScope) => boolean;

/** How `contains()` and its variants look into texts and lists. */
const within =
  (spelled: (text: string) => string, isDeep: boolean): Within =>
  (whole, part, scope) => {
    if (Array.isArray(whole)) {
      scope.budget.take(4 * whole.length);
      return whole.some((member) =>
        isDeep ? within(spelled, true)(member, part, scope) : isEqual(member, part, scope),
      );
    }
    if (typeof whole === 'string' && typeof part === 'string') {
      scope.budget.take(whole.length / (part.length > 8 ? 4 : 16));
      return containsText(spelled(whole), spelled(part));
    }
    return isObjectValue(whole) && typeof part === 'string' ? hasField(whole, part) : isEqual(whole, part, scope);
  };

const isEqual: Within = (a, b, { budget }) => operate('=', a, b, budget) === true;
const hasField = (of: Parameters<typeof fieldNamesOf>[0], name: string): boolean =>
  fieldNamesOf(of).includes(name) && kindOf(fieldIn(of, name)) !== 'null';
const containing = (look: Within): DqlFunction => forAll([1], two(anyValue, anyValue, look));
const asIs = (value: string): string => value;
const lowered = (value: string): string => value.toLowerCase();

/** Whether a text has a word, of letters, digits and `_` alone on both sides, in any case. */
function containsWord(whole: string, word: string, { budget }: DqlScope): boolean {
  budget.take(whole.length);
  const [haystack, needle] = [lowered(whole), lowered(word)];
  const isEdge = (at: number) => isWordPart(haystack.charAt(at - 1)) !== isWordPart(haystack.charAt(at));
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    budget.take(needle.length);
    if (isEdge(at) && isEdge(at + needle.length)) return true;
  }
  return false;
}

const isWordPart = (character: string): boolean => /^\w$/.test(character);

function sorted(values: readonly unknown[], key: Lambda, { budget }: DqlScope): readonly unknown[] {
  const keyed = values.map((value) => ({ value, key: key(value) }));
  return keyed.toSorted((a, b) => orderOf(a.key, b.key, budget)).map(({ value }) => value);
}

function unique(values: readonly unknown[], { budget }: DqlScope): readonly unknown[] {
  const ordered = values.map((value, index) => ({ value, index }));
  ordered.sort((a, b) => orderOf(a.value, b.value, budget) || a.index - b.index);
  const first = ordered.filter(({ value }, at) => at === 0 || orderOf(ordered[at - 1]?.value, value, budget) !== 0);
  return first.sort((a, b) => a.index - b.index).map(({ value }) => value);
}

function flat(values: readonly unknown[], depth: number, scope: DqlScope): readonly unknown[] {
  scope.budget.take(values.length);
  return values.flatMap((value) => (Array.isArray(value) && depth > 0 ? flat(value, depth - 1, scope) : [value]));
}

function joined(value: unknown, separator: string, { budget }: DqlScope): string {
  if (!Array.isArray(value)) return writtenText(value, budget);
  const whole = value.map((member) => writtenText(member, budget)).join(separator);
  budget.take(whole.length / 4);
  return whole;
}

type Holds = (values: readonly unknown[], test: (value: unknown) => boolean) => boolean;

const deciding = (holds: Holds): DqlFunction =>
  forAll(
    [],
    one(isList, (values) => holds(values, isTrue)),
    two(isList, isFunction, (values, test) => holds(values, (value) => isTrue(test(value)))),
    several((values) => holds(values, isTrue)),
  );

const known = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => kindOf(value) !== 'null');
const itself = one(anyValue, (value) => value);

/** The functions of lists and objects. */
export const listFunctions: Readonly<Record<string, DqlFunction>> = {
  contains: containing(within(asIs, true)),
  icontains: containing(within(lowered, true)),
  econtains: containing(within(asIs, false)),
  containsword: forValues([0, 1], two(isText, isText, containsWord)),
  extract: forAll(
    [0],
    several(([object, ...keys], scope) =>
      Object.fromEntries(keys.map((key) => [writtenText(key, scope.budget), memberOf(object, key, scope)])),
    ),
  ),
  sort: forAll(
    [],
    one(isList, (values, scope) => sorted(values, (value) => value, scope)),
    two(isList, isFunction, sorted),
    itself,
  ),
  reverse: forAll(
    [],
    one(isList, (values) => values.toReversed()),
    one(isText, (value, { budget }) => {
      budget.take(value.length);
      return value.split('').toReversed().join('');
    }),
    itself,
  ),
  length: forAll(
    [],
    one(isList, (values) => values.length),
    one(isText, (value) => value.length),
    one(isObjectValue, (object) => fieldNamesOf(object).length),
    several(([value]) => (kindOf(value) === 'null' ? 0 : null)),
  ),
  nonnull: forAll([], one(isList, known), several(known)),
  firstvalue: forValues(
    [],
    one(isList, (values) => known(values)[0] ?? null),
  ),
  all: deciding((values, test) => values.every(test)),
  any: deciding((values, test) => values.some(test)),
  none: deciding((values, test) => !values.some(test)),
  join: forAll(
    [],
    two(anyValue, isText, joined),
    several(([value], scope) => joined(value, ', ', scope)),
  ),
  filter: forValues(
    [],
    two(isList, isFunction, (values, test) => values.filter((value) => isTrue(test(value)))),
  ),
  map: forValues(
    [],
    two(isList, isFunction, (values, change) => values.map((value) => change(value))),
  ),
  unique: forValues([], one(isList, unique)),
  flat: forValues(
    [],
    one(isList, (values, scope) => flat(values, 1, scope)),
    two(isList, isNumber, (values, depth, scope) => flat(values, Math.min(depth, 20), scope)),
  ),
  slice: forValues(
    [],
    one(isList, (values) => values),
    two(isList, isNumber, (values, start) => values.slice(start)),
    three(isList, isNumber, isNumber, (values, start, end) => values.slice(start, end)),
  ),
};
