import { err, ok, type Result } from '#domain/shared/result.ts';
import type { PatternNode } from '#domain/vault-queries/pattern/pattern-tree.ts';

type IsMatch = (unit: number) => boolean;
type Read = Result<Readonly<{ node: PatternNode; end: number }>, string>;

const of =
  (pattern: RegExp): IsMatch =>
  (unit) =>
    pattern.test(String.fromCharCode(unit));
const classes: Readonly<Record<string, IsMatch>> = {
  d: of(/\d/),
  D: of(/\D/),
  w: of(/\w/),
  W: of(/\W/),
  s: of(/\s/),
  S: of(/\S/),
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

const isWord = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at));
const isWordEdge = (text: string, at: number): boolean => isWord(text, at - 1) !== isWord(text, at);

/** Reads what follows a backslash at `at`. */
export function readEscape(source: string, at: number): Read {
  const sign = source.charAt(at);
  if (sign === 'b') return ok({ node: { kind: 'edge', isEdge: isWordEdge }, end: at + 1 });
  if (sign === 'B')
    return ok({ node: { kind: 'edge', isEdge: (text, place) => !isWordEdge(text, place) }, end: at + 1 });
  const read = escaped(source, at);
  return read.ok ? ok({ node: { kind: 'unit', isMatch: read.value.isMatch }, end: read.value.end }) : read;
}

type Escaped = Readonly<{ isMatch: IsMatch; unit: number | null; end: number }>;

function escaped(source: string, at: number): Result<Escaped, string> {
  const sign = source.charAt(at);
  const known = Object.hasOwn(classes, sign) ? classes[sign] : undefined;
  if (known !== undefined) return ok({ isMatch: known, unit: null, end: at + 1 });
  if (sign === '') return err('it ends with a \\.');
  if (/[1-9kpPc]/.test(sign)) return err(`\\${sign} is not supported.`);
  const hex = /x([\da-f]{2})|u([\da-f]{4})/iy;
  hex.lastIndex = at;
  const [digits, two, four] = hex.exec(source) ?? [];
  const control = Object.hasOwn(controls, sign) ? controls[sign] : undefined;
  const unit = digits === undefined ? (control ?? sign.charCodeAt(0)) : Number.parseInt(two ?? four ?? '', 16);
  return ok({ isMatch: (other) => other === unit, unit, end: at + (digits?.length ?? 1) });
}

/** Reads a class whose `[` is before `at`. */
export function readClass(source: string, at: number): Read {
  const isNegated = source.charAt(at) === '^';
  const matches: IsMatch[] = [];
  let place = isNegated ? at + 1 : at;
  while (source.charAt(place) !== ']') {
    if (place >= source.length) return err('a [ has no closing ].');
    const first = member(source, place);
    if (!first.ok) return first;
    place = first.value.end;
    const isRange = source.charAt(place) === '-' && source.charAt(place + 1) !== ']';
    const last = isRange ? member(source, place + 1) : first;
    if (!last.ok) return last;
    const [from, to] = [first.value.unit, last.value.unit];
    if (isRange && (from === null || to === null || from > to)) return err('a range in [ ] is out of order.');
    place = last.value.end;
    matches.push(isRange && from !== null && to !== null ? (unit) => unit >= from && unit <= to : first.value.isMatch);
  }
  const isMatch: IsMatch = (unit) => matches.some((match) => match(unit)) !== isNegated;
  return ok({ node: { kind: 'unit', isMatch }, end: place + 1 });
}

function member(source: string, at: number): Result<Escaped, string> {
  if (source.charAt(at) === '\\') {
    return source.charAt(at + 1) === 'b'
      ? ok({ isMatch: (unit) => unit === 8, unit: 8, end: at + 2 })
      : escaped(source, at + 1);
  }
  const unit = source.charCodeAt(at);
  return ok({ isMatch: (other) => other === unit, unit, end: at + 1 });
}
