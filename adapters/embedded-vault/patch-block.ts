import {
  applyPatch,
  ContentType,
  getDocumentMap,
  type PatchInstruction as Instruction,
  PatchFailed,
} from 'markdown-patch';
import { lineEndOf, splitNote } from '#adapters/embedded-vault/note-text.ts';
import type { PatchInstruction, PatchTarget } from '#adapters/embedded-vault/patch-instruction.ts';
import type { PatchFailure } from '#adapters/embedded-vault/patch-note.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type BlockTarget = Extract<PatchTarget, { kind: 'block' }>;

/**
 * Changes a block by its id, or the rows of a table when the content is JSON rows. The engine sees the body only, so that
 * frontmatter it cannot parse is no hindrance.
 */
export function patchBlock(
  text: string,
  target: BlockTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const { bodyStart } = splitNote(text);
  const body = text.slice(bodyStart);
  const isThere = Object.hasOwn(getDocumentMap(body).block, target.id);
  if (!isThere) return addBlock(text, target, instruction);
  try {
    return ok(text.slice(0, bodyStart) + applyPatch(body, forEngine(target, instruction)));
  } catch (error) {
    if (error instanceof PatchFailed) return err({ reason: error.reason });
    throw error;
  }
}

/** The text of a block, without its id; null when there is none of that id. */
export function findBlock(text: string, id: string): string | null {
  const body = text.slice(splitNote(text).bodyStart);
  const { block } = getDocumentMap(body);
  const found = Object.hasOwn(block, id) ? block[id] : undefined;
  return found === undefined ? null : body.slice(found.content.start, found.content.end);
}

/** The ids of the note's blocks, in their order. */
export function blockIds(text: string): readonly string[] {
  return Object.keys(getDocumentMap(text.slice(splitNote(text).bodyStart)).block);
}

function forEngine(target: BlockTarget, instruction: PatchInstruction): Instruction {
  const common = {
    operation: instruction.operation,
    targetType: 'block',
    target: target.id,
    trimTargetWhitespace: instruction.trimTargetWhitespace,
    applyIfContentPreexists: instruction.operation === 'replace' || !instruction.rejectIfContentPreexists,
  } as const;
  return instruction.isJson
    ? { ...common, contentType: ContentType.json, content: instruction.content }
    : { ...common, contentType: ContentType.text, content: String(instruction.content) };
}

function addBlock(text: string, target: BlockTarget, instruction: PatchInstruction): Result<string, PatchFailure> {
  if (!instruction.createTargetIfMissing || !/^[\w-]+$/.test(target.id)) return err({ reason: 'invalid-target' });
  if (typeof instruction.content !== 'string') return err({ reason: 'content-type-invalid' });
  const lineEnd = lineEndOf(text);
  return ok(`${text}${lineEnd}${instruction.content}${lineEnd}${lineEnd}^${target.id}`);
}
