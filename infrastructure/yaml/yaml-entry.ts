import { parseDocument, stringify } from 'yaml';
import { printPlainYaml } from '#infrastructure/yaml/plain-yaml.ts';

/** Quotes texts that a reader of YAML 1.1 takes for a number, a truth value or a time; folds no line. */
const style = { lineWidth: 0, singleQuote: false, compat: 'yaml-1.1' } as const;

/**
 * Matches what readers of YAML disagree about or reject, as written in JSON: controls but line feed, DEL, C1 controls, the
 * two Unicode separators, the byte order mark, noncharacters, lone surrogates; '=', a type of its own in YAML 1.1; and a
 * fence in a text of several lines, which a program that only looks for fences may take for the end of the block.
 */
const unsafe = /(?<!\\)(?:\\\\)*\\[bfrtu]|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|"="/;
const plainKey = /^(?!(?:yes|no|on|off|true|false|null)$)[a-z][\w-]+$/i;
const unescaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Prints a key and a JSON value as lines of YAML that read back unchanged: plain where YAML allows it, a list as a block.
 * Values that plain YAML cannot carry are written as JSON on one line.
 */
export function yamlEntry(key: string, value: unknown): string {
  const atOnce = printPlainYaml(key, value);
  if (atOnce !== null) return atOnce;
  const inJson = jsonEntry(key, value);
  const hasFence = inJson.includes('---') && inJson.includes('\\n');
  if (hasFence || unsafe.test(inJson)) return inJson;
  const plain = stringify({ [key]: value }, style).trimEnd();
  const read = parseDocument(`${plain}\n`, { logLevel: 'silent' });
  const readsBack = read.errors.length === 0 && JSON.stringify(read.toJS()) === JSON.stringify({ [key]: value });
  return readsBack ? plain : inJson;
}

/** Prints a key and a JSON value on one line, as JSON, which is valid YAML 1.2; no value can break the line. */
export function jsonEntry(key: string, value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const name = plainKey.test(key) ? key : JSON.stringify(key);
  return `${name}: ${JSON.stringify(value)}`.replace(unescaped, escaped);
}

/** A block of frontmatter with its two fences and a closing newline: no value can end the block or start a key. */
export function frontmatterBlock(values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values).map(([key, value]) => yamlEntry(key, wellFormed(value)));
  return ['---', ...entries, '---', ''].join('\n');
}

/** A text of Markdown with frontmatter above it. */
export function textWithFrontmatter({
  frontmatter,
  body,
}: Readonly<{ frontmatter: Readonly<Record<string, unknown>>; body: string }>): string {
  return frontmatterBlock(frontmatter) + body;
}

/** Replaces each lone surrogate in the value's texts by U+FFFD. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
}
