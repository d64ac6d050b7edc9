import { parseDocument, stringify } from 'yaml';
import { printPlainYaml } from '#infrastructure/yaml/plain-yaml.ts';

/** Texts that a reader of YAML 1.1 takes for a number, a truth value or a time are quoted, and no line is folded. */
const style = { lineWidth: 0, singleQuote: false, compat: 'yaml-1.1' } as const;

/**
 * What readers of YAML disagree about or refuse, as it stands in JSON: controls but line feed, DEL, C1 controls, the two
 * Unicode separators, the byte order mark, noncharacters, halves of surrogate pairs; '=', a type of its own in YAML 1.1; and
 * a fence in a text of several lines, which a program that only looks for fences may take for the end of the block.
 */
const unsafe = /(?<!\\)(?:\\\\)*\\[bfrtu]|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|"="/;
const plainKey = /^(?!(?:yes|no|on|off|true|false|null)$)[a-z][\w-]+$/i;
const unescaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A key and a JSON value as lines of YAML that read back as they were: plain where YAML allows it, a list as a block. What
 * plain YAML cannot carry stands as JSON on one line.
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

/** A key and a JSON value on one line, as JSON, which YAML 1.2 reads as it is; nothing in it can break the line. */
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

/** The value with no lone half of a surrogate pair in its texts. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
}
