import { readMoment } from '#domain/vault-queries/dql/date-format.ts';
import { type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { kindOf, writtenText } from '#domain/vault-queries/dql/dql-values.ts';
import { durationIn } from '#domain/vault-queries/dql/duration.ts';
import {
  anyValue,
  type DqlFunction,
  forAll,
  forValues,
  isDuration,
  isFlag,
  isLink,
  isMoment,
  isNumber,
  isText,
  one,
  several,
  three,
  two,
} from '#domain/vault-queries/dql/functions/overloads.ts';
import type { Link } from '#domain/vault-queries/dql/link.ts';
import { memberOf } from '#domain/vault-queries/dql/members.ts';
import { type Moment, momentIn, namedMoment } from '#domain/vault-queries/dql/moment.ts';

function objectOf(values: readonly unknown[]): unknown {
  if (values.length % 2 !== 0) throw new RowError('object() takes a key and a value, as often as you like.');
  const pairs = values.flatMap((key, index) => (index % 2 === 0 ? [[key, values[index + 1]] as const] : []));
  if (!pairs.every(([key]) => typeof key === 'string')) throw new RowError('The keys of object() are texts.');
  return Object.fromEntries(pairs.map(([key, value]) => [String(key), value]));
}

/** The date in the name of a link, in its path, or the day of the note that it leads to. */
function dateOfLink(to: Link, scope: DqlScope): unknown {
  return momentIn(to.display ?? '') ?? momentIn(to.path) ?? memberOf(memberOf(to, 'file', scope), 'day', scope);
}

function dateBy(given: string, format: string, { now }: DqlScope): Moment {
  const found = readMoment(given, format, now);
  if (found === null) throw new RowError(`date() finds no "${format}" in "${given.slice(0, 100)}".`);
  return found;
}

const linkTo = (target: string, { vault }: DqlScope): Link => vault.link(target);

/** The functions that make values. */
export const constructorFunctions: Readonly<Record<string, DqlFunction>> = {
  object: forAll([], several(objectOf)),
  list: forAll(
    [],
    several((values) => values),
  ),
  array: forAll(
    [],
    several((values) => values),
  ),
  date: forValues(
    [0],
    one(isText, (given, { now }) => namedMoment(given, now) ?? momentIn(given)),
    one(isMoment, (given) => given),
    one(isLink, dateOfLink),
    two(isText, isText, dateBy),
  ),
  dur: forValues(
    [0],
    one(isText, (given) => durationIn(given)),
    one(isDuration, (given) => given),
  ),
  number: forValues(
    [0],
    one(isNumber, (given) => given),
    one(isText, (given) => {
      const found = /-?[0-9]+(?:\.[0-9]+)?/.exec(given)?.[0];
      return found === undefined ? null : Number(found);
    }),
  ),
  string: forAll(
    [],
    one(anyValue, (value, { budget }) => writtenText(value, budget)),
  ),
  link: forAll(
    [0, 1],
    one(isText, linkTo),
    one(isLink, (given) => given),
    two(isText, isText, (target, display, scope) => linkTo(target, scope).with({ display })),
    two(isLink, isText, (given, display) => given.with({ display })),
    three(isText, isText, isFlag, (target, display, embed, scope) => linkTo(target, scope).with({ display, embed })),
    several(([target, display, ...rest], scope) => {
      if (target === null || target === undefined) return null;
      if (typeof target === 'string' && display === null && rest.length === 0) return linkTo(target, scope);
      throw new RowError('link() takes a path and the name that it shows.');
    }),
  ),
  embed: forValues(
    [0, 1],
    one(isLink, (given) => given.with({ embed: true })),
    two(isLink, isFlag, (given, embed) => given.with({ embed })),
  ),
  elink: forAll(
    [0],
    one(isText, (url) => `[${url}](${url})`),
    two(isText, isText, (url, display) => `[${display}](${url})`),
    several(([url]) => (typeof url === 'string' ? `[${url}](${url})` : null)),
  ),
  typeof: forAll([], one(anyValue, kindOf)),
};
