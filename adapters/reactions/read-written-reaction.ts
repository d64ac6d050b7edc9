import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';

/** The longest note that is read as a reaction, in characters. */
export const maxReactionText = 64 * 1024;

const fences = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** Reads a note's text; null for a note without a `reaction` key, which is none. */
export function readWrittenReaction(path: string, text: string): WrittenReaction | null {
  const match = fences.exec(text);
  if (match === null || match.index !== 0) return null;
  const [block, yaml = ''] = match;
  if (!/^["']?reaction["']?[ \t]*:/m.test(yaml)) return null;
  const body = text.slice(block.length).replaceAll('\r\n', '\n');
  const bodyLine = block.split('\n').length;
  const lines = new LineCounter();
  if (text.length > maxReactionText) {
    const errors = [{ line: 1, message: `A reaction may have ${maxReactionText} characters at most.` }];
    return { path, values: {}, lineOf: () => 1, body, bodyLine, errors };
  }
  // Anchors are no part of a reaction: a few lines with them stand for any amount of data.
  const document = parseDocument(quoted(yaml), { lineCounter: lines, logLevel: 'silent', stringKeys: true });
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line + 1);
  const errors = document.errors.map(({ message, pos }) => ({
    line: lineAt(pos[0]),
    message: `The frontmatter is not valid YAML: ${message.split('\n')[0] ?? ''}`,
  }));
  const values = errors.length > 0 ? {} : valuesOf(document);
  if (values === null) return { path, values: {}, lineOf: () => 2, body, bodyLine, errors: [noObject] };
  return { path, values, lineOf: (place) => lineAt(offsetOf(document.contents, place)), body, bodyLine, errors };
}

/** A line of a reaction's own text, without quotes, in which a colon would begin another key. */
const unquoted = /^(when|if|note|under|once):[ \t]+([^\s"'[{|>&*!#%@`][^\n]*?: [^\n]*?)[ \t]*(?:[ \t]#[^\n]*)?\r?$/gm;

/** Quotes the templates and expressions that people write without quotes; lines stay where they are. */
function quoted(yaml: string): string {
  return yaml.replace(unquoted, (_, key: string, text: string) => `${key}: ${JSON.stringify(text)}`);
}

const noObject = { line: 2, message: 'The frontmatter must have a key on each line, without anchors and aliases.' };

function valuesOf(document: Document): Readonly<Record<string, unknown>> | null {
  if (!isMap(document.contents)) return null;
  try {
    const values: unknown = document.toJS({ maxAliasCount: 0 });
    return typeof values === 'object' && values !== null ? { ...values } : null;
  } catch {
    return null;
  }
}

/** Finds where the value at a place begins, or else what is nearest above it. */
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
