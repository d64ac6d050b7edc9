import { type Document, isMap, isScalar } from 'yaml';
import { readFrontmatter } from '#adapters/vault-folder/notes/read-frontmatter.ts';
import { isObject, isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { lineEndOf, splitNote } from '#domain/notes/note-parts.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { printPlainYaml, readPlainYaml } from '#infrastructure/yaml/plain-yaml.ts';
import { jsonEntry, yamlEntry } from '#infrastructure/yaml/yaml-entry.ts';

type FrontmatterTarget = Extract<PatchTarget, { kind: 'frontmatter' }>;
type Merged = Result<unknown, PatchFailure>;

/**
 * Changes one key of the frontmatter and rewrites only that key's lines: comments, key order and the bytes of all other
 * keys are preserved. (The engine of the real server re-serialises everything.)
 */
export function patchFrontmatter(
  text: string,
  { key }: FrontmatterTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const { yaml, yamlStart } = splitNote(text);
  const source = yaml ?? '';
  const lineEnd = lineEndOf(yaml === null ? text : text.slice(0, yamlStart));
  const placed = (changed: string): Result<string, PatchFailure> => {
    const [before, after] = [text.slice(0, yamlStart), text.slice(yamlStart + source.length)];
    if (yaml === null) return ok(`${before}---${lineEnd}${changed}${lineEnd}---${lineEnd}${after}`);
    return ok(before + changed + (/^\r?\n/.test(after) ? '' : lineEnd) + after);
  };
  const plain = lineEnd === '\n' ? setPlainKey(source, key, instruction) : null;
  if (plain !== null) return plain.ok ? placed(plain.value) : plain;
  const read = readFrontmatter(source);
  if (!read.ok) return err({ reason: 'invalid-frontmatter', detail: read.failure });
  if (isTooLarge(instruction.content)) return err({ reason: 'content-not-mergeable', detail: tooLarge });
  const { document } = read.value;
  if (document.contents !== null && !isMap(document.contents) && source.trim() !== '') {
    return err({ reason: 'invalid-frontmatter', detail: 'It is not a list of keys and values.' });
  }
  const values = read.value.values ?? {};
  const current = isObject(values) && Object.hasOwn(values, key) ? values[key] : undefined;
  if (current === undefined && !instruction.createTargetIfMissing) return err({ reason: 'invalid-target' });
  const merged = mergedValue(current, instruction);
  if (!merged.ok) return merged;
  return placed(setKey(document, { source, key, value: merged.value, lineEnd }));
}

/** The maximum length of YAML that the simple parser is tried on, in characters. */
const maxPlain = 16 * 1024;

/** Sets a key in simple YAML without the full parser; null when the YAML is not simple before or after. */
function setPlainKey(source: string, key: string, instruction: PatchInstruction): Result<string, PatchFailure> | null {
  const entries = source.length > maxPlain || isTooLarge(instruction.content) ? null : readPlainYaml(source);
  if (entries === null) return null;
  const known = entries.find((entry) => entry.key === key);
  if (known === undefined && !instruction.createTargetIfMissing) return err({ reason: 'invalid-target' });
  const merged = mergedValue(known?.value, instruction);
  const printed = merged.ok ? printPlainYaml(key, merged.value) : null;
  if (!merged.ok || printed === null) return null;
  const above = source.trimEnd() === '' ? '' : `${source}${source.endsWith('\n') ? '' : '\n'}`;
  const changed =
    known === undefined ? above + printed : source.slice(0, known.from) + printed + source.slice(known.to);
  const readBack = readPlainYaml(changed)?.find((entry) => entry.key === key);
  return JSON.stringify(readBack?.value) === JSON.stringify(merged.value) ? ok(changed) : null;
}

/** Reads a frontmatter key; undefined when it is absent. Malformed frontmatter is a failure. */
export function readFrontmatterKey(text: string, key: string): Result<unknown, PatchFailure> {
  const yaml = splitNote(text).yaml ?? '';
  const plain = readPlainYaml(yaml);
  if (plain !== null) return ok(plain.find((entry) => entry.key === key)?.value);
  const read = readFrontmatter(yaml);
  if (!read.ok) return err({ reason: 'invalid-frontmatter', detail: read.failure });
  const { values } = read.value;
  return ok(isObject(values) && Object.hasOwn(values, key) ? values[key] : undefined);
}

const maxValue = 400 * 1024;
const tooLarge = `A value of the frontmatter may have ${maxValue} characters as JSON, and ${maxDepth} levels.`;

const isTooLarge = (value: unknown): boolean => isTooDeep(value) || JSON.stringify(value).length > maxValue;

function mergedValue(current: unknown, { operation, content }: PatchInstruction): Merged {
  if (operation === 'replace') return ok(content);
  const [first, second] = operation === 'append' ? [current, content] : [content, current];
  if (current === undefined && (typeof content === 'string' || typeof content === 'object') && content !== null) {
    return ok(content);
  }
  if (Array.isArray(first) && Array.isArray(second)) return ok([...first, ...second]);
  if (isObject(first) && isObject(second)) return ok({ ...first, ...second });
  if (typeof first === 'string' && typeof second === 'string') return ok(first + second);
  return err({ reason: 'content-not-mergeable' });
}

type Setting = Readonly<{ source: string; key: string; value: unknown; lineEnd: string }>;

/**
 * Returns the YAML with the key set. Replaces only the key's own lines if the result parses back correctly, if need be
 * with the value on one line; else re-serialises the whole document.
 */
function setKey(document: Document.Parsed, setting: Setting): string {
  const { key, value, lineEnd } = setting;
  const wanted = wantedJson(document, key, value);
  for (const entry of [yamlEntry(key, value), jsonEntry(key, value)]) {
    const spliced = spliceKey(document, setting, entry.replaceAll('\n', lineEnd));
    if (readsBack(spliced, wanted)) return spliced;
  }
  document.set(existingKey(document, key) ?? key, value);
  return document.toString({ lineWidth: 0 }).trimEnd().replaceAll('\n', lineEnd);
}

function spliceKey(document: Document.Parsed, { source, key, lineEnd }: Setting, entry: string): string {
  const pair = isMap(document.contents)
    ? document.contents.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : undefined;
  if (pair === undefined) {
    const above = source.trimEnd();
    return above === '' ? entry : `${source}${source.endsWith('\n') ? '' : lineEnd}${entry}`;
  }
  const from = pair.key.range[0];
  const to = pair.value?.range[1] ?? pair.key.range[1] + 1;
  const old = source.slice(from, to);
  // Keep the whitespace after the value: a block scalar's range includes the line end after it.
  const kept = old.slice(old.trimEnd().length);
  return source.slice(0, from) + entry + (kept.includes('\n') ? kept : '') + source.slice(to);
}

function readsBack(yaml: string, wanted: string): boolean {
  const again = readFrontmatter(yaml);
  return again.ok && JSON.stringify(again.value.values) === wanted;
}

function wantedJson(document: Document.Parsed, key: string, value: unknown): string {
  const wanted = document.clone();
  wanted.set(existingKey(document, key) ?? key, value);
  return JSON.stringify(wanted.toJS());
}

/** The key node in the document: keys such as `1` and `true` are not strings there. */
function existingKey(document: Document.Parsed, key: string): unknown {
  if (!isMap(document.contents)) return undefined;
  return document.contents.items.find((item) => isScalar(item.key) && String(item.key.value) === key)?.key;
}
