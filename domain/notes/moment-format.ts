import { type Day, utcMidnight, type Weeks, weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The texts of a format's tokens (`YYYY`, `MMMM`). */
export type Tokens = Readonly<Record<string, string>>;

/** A time of the day. */
export type TimeOfDay = Readonly<{ hour: number; minute: number; second: number }>;

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The tokens of a day, in English; `w` and `g` count weeks as `weeks` says, `W` and `G` by ISO 8601. */
export function dayTokens(day: Day, weeks: Weeks): Tokens {
  const weekday = new Date(utcMidnight(day)).getUTCDay();
  const dayOfYear = (utcMidnight(day) - utcMidnight({ ...day, month: 1, day: 1 })) / 86_400_000 + 1;
  const [month = '', name = ''] = [months[day.month - 1], weekdays[weekday]];
  const [local, iso] = [weekOfYear(day, weeks), weekOfYear(day, 'iso')];
  return {
    Y: String(day.year),
    YYYY: padded(day.year, 4),
    YY: padded(day.year % 100),
    ...counted('Q', Math.ceil(day.month / 3)),
    ...counted('M', day.month),
    MM: padded(day.month),
    MMM: month.slice(0, 3),
    MMMM: month,
    ...counted('D', day.day),
    DD: padded(day.day),
    ...counted('DDD', dayOfYear),
    DDDD: padded(dayOfYear, 3),
    ...counted('d', weekday),
    dd: name.slice(0, 2),
    ddd: name.slice(0, 3),
    dddd: name,
    e: String(weeks === 'iso' ? (weekday + 6) % 7 : weekday),
    E: String(weekday === 0 ? 7 : weekday),
    ...counted('w', local.week),
    ww: padded(local.week),
    gg: padded(local.year % 100),
    gggg: padded(local.year, 4),
    ...counted('W', iso.week),
    WW: padded(iso.week),
    GG: padded(iso.year % 100),
    GGGG: padded(iso.year, 4),
  };
}

/** The tokens of a time of the day. */
export function timeTokens({ hour, minute, second }: TimeOfDay): Tokens {
  const [hour12, half] = [hour % 12 === 0 ? 12 : hour % 12, hour < 12 ? 'am' : 'pm'];
  return {
    H: String(hour),
    HH: padded(hour),
    h: String(hour12),
    hh: padded(hour12),
    m: String(minute),
    mm: padded(minute),
    s: String(second),
    ss: padded(second),
    a: half,
    A: half.toUpperCase(),
  };
}

/** A literal in brackets, a token after a backslash or not, or any other character; as moment splits a format. */
const part =
  /\[[^[]*\]|\\?(?:[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[ow]?|W[oW]?|Qo?|N{1,5}|Y{4,6}|YY|y{2,4}|yo?|gg(?:ggg?)?|GG(?:GGG?)?|hh?|HH?|kk?|mm?|ss?|S{1,9}|zz?|ZZ?|LTS?|LL?L?L?|l{1,4}|[\s\S])/g;

/** What moment replaces, unless it follows a backslash or is in brackets. */
const isToken = /^(?:[MDdwWQYeEaAHhkmsSNyxXzZLl]|gg|GG)/;

/**
 * Fills a format such as `YYYY-MM-DD` or `gggg-[W]ww`, in the language of moment, which the notes app uses. The failure is
 * the token that is not among `tokens`.
 */
export function formatted(format: string, tokens: Tokens): Result<string, string> {
  let text = '';
  for (const [piece] of format.matchAll(part)) {
    const known = own(tokens, piece);
    if (known === undefined && isToken.test(piece)) return err(piece);
    const isLiteral = piece.startsWith('[') && piece.length > 1;
    text += known ?? (isLiteral ? piece.slice(1, -1) : piece.replaceAll('\\', ''));
  }
  return ok(text);
}

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** A number and its ordinal: `D` and `Do`. */
const counted = (token: string, value: number): Tokens => ({
  [token]: String(value),
  [`${token}o`]: `${value}${ordinalEnd(value)}`,
});

function ordinalEnd(value: number): string {
  const last = Math.floor((value % 100) / 10) === 1 ? 0 : value % 10;
  return ['th', 'st', 'nd', 'rd'][last] ?? 'th';
}
