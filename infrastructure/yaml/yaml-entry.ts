import { parseDocument, stringify } from 'yaml';
import { printPlainYaml } from '#infrastructure/yaml/plain-yaml.ts';

/** Quotes strings that YAML 1.1 parsers read as a number, boolean or timestamp; does not fold lines. */
const style = { lineWidth: 0, singleQuote: false, compat: 'yaml-1.1' } as const;

/**
 * Matches JSON-encoded text that YAML parsers reject or treat differently: control characters other than line feed,
 * DEL, C1 controls, the two Unicode separators, byte order marks, noncharacters and lone surrogates; '=', a type of its
 * own in YAML 1.1. Fences in multi-line strings, at which simple parsers would end the block, are checked separately.
 */
const unsafe = /(?<!\\)(?:\\\\)*\\[bfrtu]|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|"="/;
const plainKey = /^(?!(?:yes|no|on|off|true|false|null)$)[a-z][\w-]+$/i;
const unescaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Prints a key and a JSON value as YAML that parses back unchanged: plain where YAML allows it, a list as a block, and
 * values that plain YAML cannot represent as JSON on one line.
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

/** Prints a key and a JSON value on one line as JSON, which is valid YAML 1.2; no value can break the line. */
export function jsonEntry(key: string, value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const name = plainKey.test(key) ? key : JSON.stringify(key);
  return `${name}: ${JSON.stringify(value)}`.replace(unescaped, escaped);
}

/** Formats a frontmatter block with both fences and a final newline; no value can end the block or add a key. */
export function frontmatterBlock(values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values).map(([key, value]) => yamlEntry(key, wellFormed(value)));
  return ['---', ...entries, '---', ''].join('\n');
}

/** Returns Markdown with frontmatter above it. */
export function textWithFrontmatter({
  frontmatter,
  body,
}: Readonly<{ frontmatter: Readonly<Record<string, unknown>>; body: string }>): string {
  return frontmatterBlock(frontmatter) + body;
}

/** Replaces each lone surrogate in the value's strings by U+FFFD. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
}
