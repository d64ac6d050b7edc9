/** A value of plain frontmatter. */
export type PlainValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** A key of plain frontmatter with its value, and the range of its lines in the text, without the last line end. */
export type PlainEntry = Readonly<{ key: string; value: PlainValue; from: number; to: number }>;

type Scalar = Exclude<PlainValue, readonly unknown[]>;

const keyLine = /^([A-Za-z][\w-]{0,99}):(?: (\S.*)?)?$/;
const itemLine = /^( *)- (\S.*)$/;
/** Keys that some YAML parsers do not read as strings, and one that every object inherits. */
const oddWord = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|__proto__)$/i;
const integer = /^(?:0|-?[1-9]\d{0,14})$/;
/** Strings that need no quotes: they start with a letter. */
const wordy = /^\p{L}[\p{L}\p{N} ,;.!?()/&+*%=@_'"<>|~$^[\]{}\\:#`-]*$/u;
/** Where an unquoted string would end or become a key. */
const endsPlain = /: |:$| #|[ ]$/;
const quoted = /^"([^"\\]*)"$|^'([^']*)'$/;
/** Characters that YAML parsers treat differently. */
const oddCharacter = /[^\n\u0020-\u007e\u00a1-\u1fff\u2030-\ud7ff\uf900-\ufdcf\u{10000}-\u{1fffd}]/u;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?$/;

/**
 * Parses YAML that consists only of keys with scalar values or lists of scalars, as most frontmatter does. Null for any
 * other YAML, which needs the full parser; the result equals the full parser's.
 */
export function readPlainYaml(yaml: string): readonly PlainEntry[] | null {
  if (oddCharacter.test(yaml)) return null;
  const entries: PlainEntry[] = [];
  const keys = new Set<string>();
  const lines = linesOf(yaml);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const [, key, rest] = keyLine.exec(line?.text ?? '') ?? [];
    if (line === undefined || key === undefined || oddWord.test(key) || keys.has(key)) return null;
    keys.add(key);
    at += 1;
    if (rest !== undefined) {
      const value = rest === '[]' ? [] : readScalar(rest);
      if (value === undefined) return null;
      entries.push({ key, value, from: line.from, to: line.to });
      continue;
    }
    const list = readList(lines, at);
    if (list === null) return null;
    at += list.length;
    const to = lines[at - 1]?.to ?? line.to;
    entries.push({ key, value: list.length === 0 ? null : list, from: line.from, to });
  }
  return entries;
}

/** Returns the values of plain YAML by key; null when it is not plain. */
export function plainValues(yaml: string): Readonly<Record<string, PlainValue>> | null {
  const entries = readPlainYaml(yaml);
  return entries === null ? null : Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

/**
 * Prints a key and its value as YAML, byte for byte as the full printer does; null for values that may need the full
 * printer. Strings that YAML 1.1 parsers read as a timestamp are quoted.
 */
export function printPlainYaml(key: string, value: unknown): string | null {
  if (oddWord.test(key) || !/^[A-Za-z][\w-]{0,99}$/.test(key)) return null;
  if (!Array.isArray(value)) {
    const printed = printScalar(value);
    return printed === null ? null : `${key}: ${printed}`;
  }
  if (value.length === 0) return `${key}: []`;
  const items = value.map(printScalar);
  return items.includes(null) ? null : `${key}:\n${items.map((item) => `  - ${item}`).join('\n')}`;
}

type Line = Readonly<{ text: string; from: number; to: number }>;

function linesOf(yaml: string): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < yaml.length; ) {
    const end = yaml.indexOf('\n', from);
    const to = end === -1 ? yaml.length : end;
    lines.push({ text: yaml.slice(from, to), from, to });
    from = to + 1;
  }
  return lines;
}

/** Reads the list items from that line on, all with the indentation of the first; null when one is not plain. */
function readList(lines: readonly Line[], from: number): readonly Scalar[] | null {
  const items: Scalar[] = [];
  let depth: string | null = null;
  for (let at = from; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? '';
    if (!text.startsWith(' ') && !text.startsWith('-')) break;
    const [, indent, rest = ''] = itemLine.exec(text) ?? [];
    const value = readScalar(rest);
    if (indent === undefined || indent !== (depth ?? indent) || value === undefined) return null;
    depth = indent;
    items.push(value);
  }
  return items;
}

/** Parses one scalar; undefined when it is not plain. */
function readScalar(text: string): Scalar | undefined {
  const [isQuoted, double, single] = quoted.exec(text) ?? [];
  if (isQuoted !== undefined) return double ?? single ?? '';
  if (integer.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!isWord(text) || oddWord.test(text)) return timestamp.test(text) ? text : undefined;
  return text;
}

function printScalar(value: unknown): string | null {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return integer.test(String(value)) && !Object.is(value, -0) ? String(value) : null;
  if (typeof value !== 'string' || oddCharacter.test(value) || value.includes('\n')) return null;
  if (timestamp.test(value)) return `"${value}"`;
  return isWord(value) && !oddWord.test(value) ? value : null;
}

const isWord = (text: string): boolean => (wordy.test(text) && !endsPlain.test(text)) || uuid.test(text);
