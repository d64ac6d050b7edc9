import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { withQuotedLines } from '#adapters/reactions/unquoted-lines.ts';
import { isObject } from '#domain/json/json-data.ts';
import { maxFaults } from '#domain/reaction-notes/reaction-note.ts';
import { frontmatterPlace } from '#domain/reaction-notes/status-line.ts';
import type { WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';

/** The maximum depth of the values in a reaction. */
const maxDepth = 20;

/** Parses a note's text; null for a note without frontmatter. */
export function readWrittenReaction(path: string, text: string): WrittenReaction | null {
  const place = frontmatterPlace(text);
  if (place === null) return null;
  const yaml = text.slice(place.start, place.end);
  const body = text.slice(place.below).replaceAll('\r\n', '\n');
  const bodyLine = text.slice(0, place.below).split('\n').length;
  const faulty = (errors: WrittenReaction['errors'], lineOf: WrittenReaction['lineOf'] = () => 1) => {
    return { path, values: {}, lineOf, body, bodyLine, errors, isYaml: false };
  };
  const { document, lines, isYaml } = parsed(yaml);
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line + 1);
  const errors = document.errors.slice(0, maxFaults).map(({ message, pos }) => ({
    line: lineAt(pos[0]),
    message: `The frontmatter is not valid YAML: ${message.split('\n')[0] ?? ''}`,
  }));
  if (errors.length > 0) return faulty(errors);
  // Reject anchors: a few lines of aliases can expand to any amount of data.
  const values = valuesOf(document);
  if (values === null) return faulty([noObject]);
  if (isDeeperThan(values, maxDepth))
    return faulty([{ line: 1, message: `The values are nested more than ${maxDepth} levels deep.` }]);
  const lineOf = (at: readonly (string | number)[]) => lineAt(offsetOf(document.contents, at));
  return { path, values, lineOf, body, bodyLine, errors, isYaml };
}

/** Whether objects and lists are nested deeper than that. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** `isYaml`: the frontmatter is valid YAML as written. */
type Parsed = Readonly<{ document: Document; lines: LineCounter; isYaml: boolean }>;

/**
 * Parses the frontmatter. When it is not valid YAML, or one of its texts is not a string, text lines are quoted first.
 */
function parsed(yaml: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { ...quiet, lineCounter: lines });
  if (document.errors.length === 0 && textsOf(document).every(isScalarText)) return { document, lines, isYaml: true };
  const tolerantLines = new LineCounter();
  const tolerant = parseDocument(withQuotedLines(yaml, isTextLine), { ...quiet, lineCounter: tolerantLines });
  return { document: tolerant, lines: tolerantLines, isYaml: false };
}

const quiet = { logLevel: 'silent', stringKeys: true } as const;

function isTextLine(line: string): boolean {
  const document = parseDocument(line, quiet);
  return document.errors.length === 0 && textsOf(document).every(isScalarText);
}

/** The values of the keys whose values are texts. */
function textsOf({ contents }: Document): readonly unknown[] {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }) =>
    isScalar(key) && ['if', 'note', 'under', 'once'].includes(String(key.value)) ? [value] : [],
  );
}

/**
 * Whether a value is a scalar without a tag, such as `!has`, which could start an expression; aliases are rejected
 * later.
 */
function isScalarText(value: unknown): boolean {
  return value === null || isAlias(value) || (isScalar(value) && !(value.tag ?? '').startsWith('!'));
}

const noObject = { line: 2, message: 'The frontmatter must have a key on each line, without anchors and aliases.' };

function valuesOf(document: Document): Readonly<Record<string, unknown>> | null {
  if (!isMap(document.contents)) return null;
  try {
    const values: unknown = document.toJS({ maxAliasCount: 0 });
    return isObject(values) ? values : null;
  } catch {
    return null;
  }
}

/** The offset of the value at a path, or of its nearest ancestor. */
function offsetOf(contents: unknown, place: readonly (string | number)[]): number | undefined {
  let node: unknown = contents;
  let offset: number | undefined;
  for (const step of place) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) return offset;
      offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = isNode(node) ? node.range?.[0] : offset;
    } else return offset;
  }
  return offset;
}
