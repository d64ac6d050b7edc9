/** What a reaction writes into a note's frontmatter. */
export type FrontmatterValue = string | number | boolean | null | readonly string[];

/** Keys and values of a note's frontmatter, in the order in which they are written. */
export type Frontmatter = Readonly<Record<string, FrontmatterValue>>;

/**
 * A frontmatter block with its two fences and a closing newline. Every key stands on one line and every text is a JSON
 * string, which YAML 1.2 reads as it is: no value can end the block, start a key, or become another type.
 */
export function frontmatterBlock(values: Frontmatter): string {
  const lines = Object.entries(values).map(([key, value]) => `${yamlKey(key)}: ${yamlValue(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

/** Whether a note's parsed frontmatter already has the value under the key. */
export function hasValue(
  frontmatter: Readonly<Record<string, unknown>>,
  key: string,
  value: FrontmatterValue,
): boolean {
  return Object.hasOwn(frontmatter, key) && JSON.stringify(frontmatter[key]) === JSON.stringify(value);
}

function yamlKey(key: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(key) ? key : yamlText(key);
}

function yamlValue(value: FrontmatterValue): string {
  if (typeof value === 'string') return yamlText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (value === null || typeof value === 'boolean') return String(value);
  return `[${value.map(yamlText).join(', ')}]`;
}

// What JSON leaves as it is and a YAML reader may take for a line break or refuse: DEL, C1 controls, the two Unicode
// separators, the byte order mark and the noncharacters.
const unsafeInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function yamlText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text.toWellFormed()).replace(unsafeInYaml, escaped);
}
