import { type Document, isMap, isScalar, parseDocument, stringify } from 'yaml';
import { isRecord } from '#adapters/embedded-vault/note-metadata.ts';
import { lineEndOf, splitNote } from '#adapters/embedded-vault/note-text.ts';
import type { PatchInstruction, PatchTarget } from '#adapters/embedded-vault/patch-instruction.ts';
import type { PatchFailure } from '#adapters/embedded-vault/patch-note.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type FrontmatterTarget = Extract<PatchTarget, { kind: 'frontmatter' }>;
type Merged = Result<unknown, PatchFailure>;

/**
 * Changes one key of the frontmatter. Comments, the order of the keys, and the very characters of all other keys stay: only
 * the key's own lines are written anew. (The engine of the real server re-serialises everything.)
 */
export function patchFrontmatter(
  text: string,
  { key }: FrontmatterTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const { yaml, bodyStart } = splitNote(text);
  const source = (yaml ?? '').replaceAll('\r\n', '\n');
  const document = parseDocument(source, { logLevel: 'silent' });
  const fault = document.errors[0];
  if (fault !== undefined) return err({ reason: 'invalid-frontmatter', detail: fault.message });
  if (document.contents !== null && !isMap(document.contents) && source.trim() !== '') {
    return err({ reason: 'invalid-frontmatter', detail: 'It is not a list of keys and values.' });
  }
  const values: unknown = document.toJS() ?? {};
  const current = isRecord(values) && Object.hasOwn(values, key) ? values[key] : undefined;
  if (current === undefined && !instruction.createTargetIfMissing) return err({ reason: 'invalid-target' });
  const merged = mergedValue(current, instruction);
  if (!merged.ok) return merged;
  const changed = `---\n${setKey(source, document, key, merged.value)}\n---\n`;
  const lineEnd = lineEndOf(text);
  return ok(changed.replaceAll('\n', lineEnd) + text.slice(bodyStart));
}

/** The value under that key of the frontmatter; undefined when there is none. Broken frontmatter is refused. */
export function readFrontmatterKey(text: string, key: string): Result<unknown, PatchFailure> {
  const document = parseDocument(splitNote(text).yaml ?? '', { logLevel: 'silent' });
  const fault = document.errors[0];
  if (fault !== undefined) return err({ reason: 'invalid-frontmatter', detail: fault.message });
  const values: unknown = document.toJS();
  return ok(isRecord(values) && Object.hasOwn(values, key) ? values[key] : undefined);
}

function mergedValue(current: unknown, { operation, content }: PatchInstruction): Merged {
  if (operation === 'replace') return ok(content);
  const [first, second] = operation === 'append' ? [current, content] : [content, current];
  if (current === undefined && (typeof content === 'string' || typeof content === 'object') && content !== null) {
    return ok(content);
  }
  if (Array.isArray(first) && Array.isArray(second)) return ok([...first, ...second]);
  if (isRecord(first) && isRecord(second)) return ok({ ...first, ...second });
  if (typeof first === 'string' && typeof second === 'string') return ok(first + second);
  return err({ reason: 'content-not-mergeable' });
}

/** The YAML with the key set: by replacing its own lines where that reads back right, else through the document. */
function setKey(source: string, document: Document.Parsed, key: string, value: unknown): string {
  const spliced = spliceKey(source, document, key, stringify({ [key]: value }, { lineWidth: 0 }).trimEnd());
  if (readsBack(spliced, document, key, value)) return spliced;
  document.set(key, value);
  return document.toString({ lineWidth: 0 }).trimEnd();
}

function spliceKey(source: string, document: Document.Parsed, key: string, entry: string): string {
  const { contents } = document;
  const pair = isMap(contents)
    ? contents.items.find((item) => isScalar(item.key) && item.key.value === key)
    : undefined;
  if (pair === undefined) return source.trim() === '' ? entry : `${source.trimEnd()}\n${entry}`;
  const from = pair.key.range[0];
  const to = pair.value?.range[1] ?? pair.key.range[1] + 1;
  const after = source.slice(to);
  const needsLineEnd = source.slice(from, to).endsWith('\n') && after !== '';
  return source.slice(0, from) + entry + (needsLineEnd ? '\n' : '') + after;
}

function readsBack(yaml: string, document: Document.Parsed, key: string, value: unknown): boolean {
  const again = parseDocument(yaml, { logLevel: 'silent' });
  if (again.errors.length > 0) return false;
  const wanted = document.clone();
  wanted.set(key, value);
  return JSON.stringify(again.toJS()) === JSON.stringify(wanted.toJS());
}
