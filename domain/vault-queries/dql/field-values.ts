import { durationIn } from '#domain/vault-queries/dql/duration.ts';
import { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import type { Link } from '#domain/vault-queries/dql/link.ts';
import { momentIn } from '#domain/vault-queries/dql/moment.ts';

/** A field of a note or a task: its name as it is written, and its value. */
export type Field = readonly [name: string, value: unknown];

type LinkIn = (inner: string) => Link;

const link = /^(!?)\[\[([^[\]]*)\]\]$/;

/** Types a value of the frontmatter: texts that are dates, durations or links become these, at any depth. */
export function typedValue(value: unknown, linkIn: LinkIn): unknown {
  if (typeof value === 'string') {
    return value.length > 500 ? value : (momentIn(value) ?? durationIn(value) ?? linkOfText(value, linkIn) ?? value);
  }
  if (Array.isArray(value)) return value.map((member) => typedValue(member, linkIn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typedValue(member, linkIn)]));
}

/** Types the text of an inline field: one value, or several with commas between them; else it is a text. */
export function typedText(text: string, linkIn: LinkIn): unknown {
  if (text === '') return null;
  const one = atomOf(text, linkIn);
  if (one !== undefined) return one;
  const atoms = partsOf(text).map((part) => atomOf(part.trim(), linkIn));
  return atoms.length < 2 || atoms.includes(undefined) ? text : atoms;
}

/** Splits at the commas that are neither in quotes nor in brackets. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [start, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"' && text.charAt(at - 1) !== '\\') isQuoted = !isQuoted;
    if (sign === '[') depth += 1;
    if (sign === ']') depth -= 1;
    if (sign !== ',' || isQuoted || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Reads a value that is no plain text; undefined for one that is. */
function atomOf(text: string, linkIn: LinkIn): unknown {
  const time = momentIn(text) ?? durationIn(text) ?? linkOfText(text, linkIn);
  if (time !== null) return time;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (text === 'null') return null;
  if (/^"(?:\\.|[^"\\])*"$/.test(text)) return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return /^#[^\s#,;.:!?'"`()[\]{}]+$/.test(text) ? text : undefined;
}

function linkOfText(text: string, linkIn: LinkIn): Link | null {
  const [, bang, inner] = link.exec(text) ?? [];
  return inner === undefined ? null : linkIn(inner).with({ embed: bang === '!' });
}

/** The name by which a query asks for a field: lower case, dashes for spaces, without punctuation. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\s/g, '-')
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Cf}\p{Extended_Pictographic}_-]/gu, '');
}

/** Fields by name, as it is written or plain. A field that occurs several times is the list of its values. */
export class FieldTable {
  readonly #values = new Map<string, unknown[]>();
  readonly #plain = new Map<string, unknown[]>();

  constructor(fields: readonly Field[]) {
    for (const [name, value] of fields) {
      for (const [table, key] of [
        [this.#values, name],
        [this.#plain, plainName(name)],
      ] as const) {
        table.set(key, [...(table.get(key) ?? []), value]);
      }
    }
  }

  /** The names of the fields. */
  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** The value of a field; undefined when there is none. */
  get(name: string): unknown {
    const values = this.#values.get(name) ?? this.#plain.get(name.toLowerCase());
    return values === undefined || values.length > 1 ? values : values[0];
  }
}

/** Fields that are looked up in this order: own ones that are worked out, those of a table, those of others. */
export function layered(
  own: Readonly<Record<string, () => unknown>>,
  table: FieldTable,
  printed: () => unknown,
  others?: LazyFields,
): LazyFields {
  return new LazyFields(
    () => [...new Set([...Object.keys(own), ...table.names, ...(others?.names() ?? [])])],
    (name) => (Object.hasOwn(own, name) ? own[name]?.() : (table.get(name) ?? others?.get(name))),
    printed,
  );
}
