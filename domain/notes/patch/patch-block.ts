import type { Block } from '#domain/notes/markdown/markdown-scan.ts';
import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { lineEndOf, splitNote } from '#domain/notes/note-parts.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { tableWithRows } from '#domain/notes/patch/table-rows.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { containsText } from '#domain/text/index-of-text.ts';

type BlockTarget = Extract<PatchTarget, { kind: 'block' }>;

/** Changes a block by its id, or the rows of a table when the content is JSON rows. */
export function patchBlock(
  text: string,
  target: BlockTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const block = blockOf(text, target.id);
  if (block === undefined) return addBlock(text, target, instruction);
  const [before, current, after] = [
    text.slice(0, block.start),
    text.slice(block.start, block.end),
    text.slice(block.end),
  ];
  const { operation, content, isJson, trimTargetWhitespace: isTrimmed } = instruction;
  if (isJson) {
    const table = tableWithRows(current, operation, content, lineEndOf(text));
    return table === null ? err({ reason: 'content-type-invalid-for-target' }) : ok(before + table + after);
  }
  const added = String(content);
  if (operation === 'replace') return ok(before + added + after);
  if (instruction.rejectIfContentPreexists && containsText(current, added.trim())) {
    return err({ reason: 'content-already-preexists-in-target' });
  }
  if (operation === 'append') return ok(before + (isTrimmed ? current.trimEnd() : current) + added + after);
  return ok(before + added + (isTrimmed ? current.trimStart() : current) + after);
}

/** The text of a block, without its id; null when no block has that id. */
export function findBlock(text: string, id: string): string | null {
  const block = blockOf(text, id);
  return block === undefined ? null : text.slice(block.start, block.end);
}

const blockOf = (text: string, id: string): Block | undefined =>
  scanMarkdown(text, splitNote(text).bodyStart).blocks.get(id);

function addBlock(text: string, target: BlockTarget, instruction: PatchInstruction): Result<string, PatchFailure> {
  if (!instruction.createTargetIfMissing || !/^[\w-]+$/.test(target.id)) return err({ reason: 'invalid-target' });
  if (typeof instruction.content !== 'string') return err({ reason: 'content-type-invalid' });
  const lineEnd = lineEndOf(text);
  return ok(`${text}${lineEnd}${instruction.content}${lineEnd}${lineEnd}^${target.id}`);
}
