import { createHash } from 'node:crypto';
import { formatDuration, formatMoment } from '#domain/vault-queries/dql/date-format.ts';
import { type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { isTrue, kindOf, writtenText } from '#domain/vault-queries/dql/dql-values.ts';
import {
  anyValue,
  type DqlFunction,
  forAll,
  forValues,
  isDuration,
  isLink,
  isList,
  isMoment,
  isNumber,
  isText,
  one,
  three,
  two,
} from '#domain/vault-queries/dql/functions/overloads.ts';
import { Moment, startOfDay } from '#domain/vault-queries/dql/moment.ts';

const otherwise = two(anyValue, anyValue, (value, instead) => (kindOf(value) === 'null' ? instead : value));

/** A number that depends on the texts alone, for an order at random. */
function hashOf(seed: string, name: string, variant = ''): number {
  return createHash('sha256').update([seed, name, variant].join('\n')).digest().readUIntBE(0, 6);
}

function currency(amount: number, code: string): string {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency: code }).format(amount);
  } catch {
    throw new RowError(`currencyformat() knows no currency "${code}".`);
  }
}

/** A value as a reader sees it: links by their names, text without Markdown’s marks. */
function shown(value: unknown, scope: DqlScope): string {
  if (kindOf(value) === 'null') return '';
  if (isList(value)) return value.map((member) => shown(member, scope)).join(', ');
  if (isLink(value)) return value.display === null ? nameIn(value.toString()) : plain(value.display);
  return typeof value === 'string' ? plain(value) : writtenText(value, scope.budget);
}

const nameIn = (written: string): string => written.slice(written.lastIndexOf('|') + 1, -2);

function plain(written: string): string {
  return written
    .replaceAll(/\[\[([^[\]|]*\|)?([^[\]|]*)\]\]/g, '$2')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\*\*|__|~~|`/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/^#{1,6} /, '');
}

/** The functions that are of use with all types. */
export const utilityFunctions: Readonly<Record<string, DqlFunction>> = {
  default: forAll([0, 1], otherwise),
  ldefault: forAll([], otherwise),
  display: forAll([], one(anyValue, shown)),
  choice: forAll(
    [0],
    three(anyValue, anyValue, anyValue, (condition, first, second) => (isTrue(condition) ? first : second)),
  ),
  hash: forValues(
    [],
    two(isText, isNumber, (seed, variant) => hashOf(seed, String(variant))),
    two(isText, isText, (seed, name) => hashOf(seed, name)),
    three(isText, isText, isNumber, (seed, name, variant) => hashOf(seed, name, String(variant))),
  ),
  striptime: forValues([0], one(isMoment, startOfDay)),
  dateformat: forValues([0], two(isMoment, isText, formatMoment)),
  durationformat: forValues([0], two(isDuration, isText, formatDuration)),
  currencyformat: forValues(
    [0],
    one(isNumber, (amount) => currency(amount, 'USD')),
    two(isNumber, isText, currency),
  ),
  localtime: forValues(
    [0],
    one(isMoment, ({ ms }) => new Moment(ms)),
  ),
  meta: forValues(
    [],
    one(isLink, ({ display, embed, path, subpath, type }) => ({ display, embed, path, subpath, type })),
  ),
};
