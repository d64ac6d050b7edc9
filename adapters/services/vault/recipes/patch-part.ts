import type { InputOf } from '#adapters/services/operation-table.ts';
import { missingPart, resolveHeading } from '#adapters/services/vault/recipes/heading.ts';
import type { Call } from '#adapters/services/vault/recipes/note-calls.ts';
import type { rows } from '#adapters/services/vault/rows.ts';
import { type Heading, headingsOf } from '#domain/notes/outline.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

type Patch = InputOf<typeof rows, 'notes.patch'>;

/** The default operation: a key is set, text is appended. */
export const usualOperation = (kind: Patch['target_type']): Patch['operation'] =>
  kind === 'frontmatter' ? 'replace' : 'append';

/**
 * Changes a part of a note. A heading may be bare, and text under one stands on lines of its own, whatever the server does with line ends. A part
 * that is missing is `not_found` with those that are there.
 */
export async function patchPart(call: Call, input: Patch): Promise<Outcome> {
  const readMap = () => call('notes.read', { path: input.path, format: 'document_map' });
  if (input.target_type === 'heading') {
    const map = await readMap();
    if (!map.ok) return map;
    const full = resolveHeading(input.target, map.data, input.create_target_if_missing === true);
    if (!full.ok) return full;
    const content = await onLinesOfItsOwn(call, { ...input, target: full.data });
    return content.ok ? call('notes.patch', { ...input, target: full.data, content: content.data }) : content;
  }
  const patched = await call('notes.patch', input);
  if (patched.ok || !isTargetMissing(patched)) return patched;
  const map = await readMap();
  return map.ok ? missingPart(input.target_type, input.target, map.data) : patched;
}

/** The content with a line end behind it, and before it where it is to follow a last line that has none. */
async function onLinesOfItsOwn(
  call: Call,
  { path, target, operation, content }: Patch,
): Promise<Outcome<Patch['content']>> {
  if (typeof content !== 'string' || content === '') return { ok: true, data: content };
  const ended = content.endsWith('\n') ? content : `${content}\n`;
  if (operation !== 'append') return { ok: true, data: ended };
  const read = await call('notes.read', { path });
  if (!read.ok) return read;
  const text = typeof read.data === 'string' ? read.data : '';
  const needsLine = text !== '' && !/[\r\n]$/.test(text.slice(-1)) && !/^\r?\n/.test(ended);
  return { ok: true, data: needsLine && isLastSection(text, target.split('::')) ? `\n${ended}` : ended };
}

/** Whether the section goes up to the end of the note: no heading of its rank or a higher one stands behind it. */
function isLastSection(text: string, path: readonly string[]): boolean {
  const headings = headingsOf(text);
  const at = headings.findLastIndex(({ text: name }) => name === path.at(-1));
  const level = headings[at]?.level ?? 0;
  return at !== -1 && headings.slice(at + 1).every((later: Heading) => later.level > level);
}

const isTargetMissing = (outcome: Outcome): boolean =>
  !outcome.ok && /invalid-target|target.*not found/i.test(outcome.message);
