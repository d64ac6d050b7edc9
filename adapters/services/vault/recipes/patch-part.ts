import type { InputOf } from '#adapters/services/operation-table.ts';
import { missingPart, resolveHeading } from '#adapters/services/vault/recipes/heading.ts';
import type { Call } from '#adapters/services/vault/recipes/note-calls.ts';
import type { rows } from '#adapters/services/vault/rows.ts';
import { type Heading, headingsOf } from '#domain/notes/outline.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

type Patch = InputOf<typeof rows, 'notes.patch'>;

/** The default operation: keys are replaced, text is appended. */
export const usualOperation = (kind: Patch['target_type']): Patch['operation'] =>
  kind === 'frontmatter' ? 'replace' : 'append';

/**
 * Changes a part of a note. A heading may be bare, and text below it is put on its own lines, however the server treats
 * line ends. A missing part is `not_found`, with the existing ones.
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

/** Adds a line end to the content, and one before it where it would otherwise continue an unterminated last line. */
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

/** Whether the section extends to the end of the note: no heading of the same or a higher rank follows. */
function isLastSection(text: string, path: readonly string[]): boolean {
  const headings = headingsOf(text);
  const at = headings.findLastIndex(({ text: name }) => name === path.at(-1));
  const level = headings[at]?.level ?? 0;
  return at !== -1 && headings.slice(at + 1).every((later: Heading) => later.level > level);
}

function isTargetMissing(outcome: Outcome): boolean {
  if (outcome.ok) return false;
  const message = outcome.message.toLowerCase();
  const target = message.indexOf('target');
  return message.includes('invalid-target') || (target !== -1 && message.includes('not found', target));
}
