import { weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';
import { type Duration, type Unit, unitNames } from '#domain/vault-queries/dql/duration.ts';
import { clockOf, Moment, momentAt } from '#domain/vault-queries/dql/moment.ts';

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'ms' | 'dayOfYear' | 'half' | 'offset' | 'unix';
/** Reads a field of a date; one without a field is read over. */
type Reader = Readonly<{ field: Field | null; pattern: RegExp; value(text: string): number }>;
type Token = Readonly<{ write(moment: Moment, clock: Date): string | number; reader: Reader | null }>;

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const dayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const monthName = /(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}/iy;
const dayName = /(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}/iy;
const digits = [/\d{1,6}/y, /\d{1,6}/y, /\d{2}/y, /\d{3}/y, /\d{4}/y];

/** The day of the week, from Monday (1) to Sunday (7). */
export const weekdayOf = (clock: Date): number => clock.getUTCDay() || 7;

/** The number of the week of a day, and its year (ISO 8601). */
export function weekOf(clock: Date): Readonly<{ year: number; week: number }> {
  return weekOfYear({ year: yearOf(clock), month: monthOf(clock), day: clock.getUTCDate() }, 'iso');
}

const yearOf = (clock: Date): number => clock.getUTCFullYear();
const monthOf = (clock: Date): number => clock.getUTCMonth() + 1;
const dayOfYear = (clock: Date): number =>
  1 + Math.floor((clock.getTime() - clockOf(yearOf(clock), 1).getTime()) / 86_400_000);

/** A number, padded with zeros to the lengths of these tokens (`d dd`). */
function numbers(names: string, part: (clock: Date) => number, field: Field | null = null): Record<string, Token> {
  const tokens = names.split(' ').map((name): [string, Token] => {
    const reader = field === null ? null : { field, pattern: digits[name.length] ?? /\d/y, value: Number };
    return [name, { write: (_, clock) => String(part(clock)).padStart(name.length, '0'), reader }];
  });
  return Object.fromEntries(tokens);
}

const month = (length?: number): Token => ({
  write: (_, clock) => (monthNames[clock.getUTCMonth()] ?? '').slice(0, length),
  reader: {
    field: 'month',
    pattern: monthName,
    value: (text) =>
      monthNames.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase()) + 1,
  },
});
const weekday = (length?: number): Token => ({
  write: (_, clock) => (dayNames[weekdayOf(clock) - 1] ?? '').slice(0, length),
  reader: { field: null, pattern: dayName, value: Number },
});

const zone = (separator: string, length: number): Token => ({
  write: ({ ms, offset }) => {
    const minutes = offset ?? -new Date(ms).getTimezoneOffset();
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), String(Math.abs(minutes) % 60).padStart(2, '0')];
    const end = length === 1 && rest === '00' ? '' : separator + rest;
    return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(length, '0')}${end}`;
  },
  reader: {
    field: 'offset',
    pattern: /[+-]\d{1,2}:?(?:\d{2})?/y,
    value: (text) => {
      const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(text) ?? [];
      return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    },
  },
});
const unix = (unitMs: number): Token => ({
  write: ({ ms }) => Math.floor(ms / unitMs),
  reader: { field: 'unix', pattern: /-?\d{1,16}/y, value: (text) => Number(text) * unitMs },
});

/** The tokens of a format, which are Luxon’s; those that depend on a place are left out. */
const tokens: Readonly<Record<string, Token>> = {
  ...numbers('y yyyy', yearOf, 'year'),
  yy: {
    write: (_, clock) => String(yearOf(clock) % 100).padStart(2, '0'),
    reader: {
      field: 'year',
      pattern: /\d{2}/y,
      value: (text) => (Number(text) > 60 ? 1900 : 2e3) + Number(text),
    },
  },
  ...numbers('q qq', (clock) => Math.ceil(monthOf(clock) / 3)),
  ...numbers('M MM L LL', monthOf, 'month'),
  MMM: month(3),
  MMMM: month(),
  LLL: month(3),
  LLLL: month(),
  ...numbers('kkkk', (clock) => weekOf(clock).year),
  ...numbers('kk', (clock) => weekOf(clock).year % 100),
  ...numbers('W WW', (clock) => weekOf(clock).week),
  ...numbers('o ooo', dayOfYear, 'dayOfYear'),
  ...numbers('d dd', (clock) => clock.getUTCDate(), 'day'),
  ...numbers('c E', weekdayOf),
  ccc: weekday(3),
  cccc: weekday(),
  EEE: weekday(3),
  EEEE: weekday(),
  ...numbers('H HH', (clock) => clock.getUTCHours(), 'hour'),
  ...numbers('h hh', (clock) => clock.getUTCHours() % 12 || 12, 'hour'),
  ...numbers('m mm', (clock) => clock.getUTCMinutes(), 'minute'),
  ...numbers('s ss', (clock) => clock.getUTCSeconds(), 'second'),
  ...numbers('S SSS', (clock) => clock.getUTCMilliseconds(), 'ms'),
  a: {
    write: (_, clock) => (clock.getUTCHours() < 12 ? 'AM' : 'PM'),
    reader: {
      field: 'half',
      pattern: /[ap]m/iy,
      value: (text) => (/^p/i.test(text) ? 12 : 0),
    },
  },
  Z: zone(':', 1),
  ZZ: zone(':', 2),
  ZZZ: zone('', 2),
  X: unix(1e3),
  x: unix(1),
};

/** Splits a format: text in single quotes as it is, and runs of one letter, which are tokens. */
function partsOf(format: string, known: (name: string) => boolean) {
  return (format.match(/'[^']*'?|([A-Za-z])\1*|[^A-Za-z']+/g) ?? []).map((text) => {
    const isToken = /^[A-Za-z]/.test(text);
    if (!isToken) return { text: text.replaceAll("'", ''), isToken };
    if (known(text)) return { text, isToken };
    throw new DqlError(`The format "${format}" has the token ${text}, which is not known here; put text in '…'.`);
  });
}

/** Writes a moment by a format; throws `DqlError` for a token that is not known. */
export function formatMoment(moment: Moment, format: string): string {
  const { clock } = moment;
  const parts = partsOf(format, (name) => Object.hasOwn(tokens, name));
  return parts.map(({ text, isToken }) => (isToken ? own(tokens, text)?.write(moment, clock) : text)).join('');
}

/** Reads a date by a format, in the year at `now` if it has none; null when the text has another form or is no date. */
export function readMoment(text: string, format: string, now: number): Moment | null {
  const found = new Map<Field, number>();
  let at = 0;
  for (const part of partsOf(format, (name) => (own(tokens, name)?.reader ?? null) !== null)) {
    const reader = part.isToken ? own(tokens, part.text)?.reader : undefined;
    if (reader === undefined || reader === null) {
      if (!text.startsWith(part.text, at)) return null;
      at += part.text.length;
      continue;
    }
    reader.pattern.lastIndex = at;
    const [read] = reader.pattern.exec(text) ?? [];
    if (read === undefined) return null;
    if (reader.field !== null) found.set(reader.field, reader.value(read));
    at += read.length;
  }
  return at === text.length ? momentOf(found, now) : null;
}

function momentOf(found: ReadonlyMap<Field, number>, now: number): Moment | null {
  const get = (field: Field, otherwise = 0): number => found.get(field) ?? otherwise;
  if (found.has('unix')) return new Moment(get('unix'));
  const hour = found.has('half') ? (get('hour') % 12) + get('half') : get('hour');
  if (hour > 23 || get('minute') > 59 || get('second') > 59) return null;
  const time = ((hour * 60 + get('minute')) * 60 + get('second')) * 1_000 + get('ms');
  const clock = clockOf(
    get('year', new Date(now).getFullYear()),
    get('month', 1),
    get('dayOfYear', get('day', 1)),
    time,
  );
  const isDate = monthOf(clock) === get('month', 1) && clock.getUTCDate() === get('day', 1);
  return isDate || found.has('dayOfYear') ? momentAt(clock, found.get('offset') ?? null) : null;
}

const units: Readonly<Record<string, Unit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  m: 'minute',
  s: 'second',
  S: 'millisecond',
};

/** Writes a duration by a format of `y M w d h m s S`, each repeated to pad the number with zeros; other words stay. */
export function formatDuration(duration: Duration, format: string): string {
  const unitOf = (name: string): Unit | undefined => own(units, name.charAt(0));
  const isText = (word: string): boolean => !word.startsWith("'") && !/^[yMwdhmsS]+$/.test(word);
  const quoted = format.replaceAll(/'[^']*'?|[A-Za-z]+/g, (word) => (isText(word) ? `'${word}'` : word));
  const parts = partsOf(quoted, (name) => unitOf(name) !== undefined);
  const used = unitNames.filter((unit) => parts.some(({ text, isToken }) => isToken && unitOf(text) === unit));
  const counts = duration.in(used);
  return parts
    .map(({ text, isToken }) => {
      const unit = isToken ? unitOf(text) : undefined;
      return unit === undefined ? text : String(Math.floor(counts.get(unit) ?? 0)).padStart(text.length, '0');
    })
    .join('');
}
