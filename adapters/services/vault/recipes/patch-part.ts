import type { InputOf } from '#adapters/services/requests/operation-table.ts';
import { missingPart } from '#adapters/services/vault/recipes/missing-part.ts';
import type { Call } from '#adapters/services/vault/recipes/note-calls.ts';
import type { rows } from '#adapters/services/vault/rows.ts';
import { placeOfNewHeading } from '#domain/notes/heading.ts';
import { lineEndOf } from '#domain/notes/note-parts.ts';
import { continuesBlock } from '#domain/notes/patch/continued-block.ts';
import { type Section, sectionsOf } from '#domain/notes/sections.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { addressesOf, addressIn, areTooLong, headingDelimiter, whichSection } from '#domain/notes/which-heading.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** A patch as the notes app takes it. */
export type PatchMeant = InputOf<typeof rows, 'notes.patch'>;

/** What the tool for a part of a note takes. */
export type PartInput = Omit<PatchMeant, 'operation'> & Readonly<{ operation?: PatchMeant['operation'] | undefined }>;

/**
 * The patch that a call of the tool means: keys are replaced, text is appended in lines of its own, and a target that
 * begins with `^` is a block.
 */
export function patchMeant(input: PartInput): PatchMeant {
  const { operation, content } = input;
  const kind = input.target_type === 'heading' && /^\^[\w-]+$/.test(input.target) ? 'block' : input.target_type;
  const isOpen = kind === 'heading' && typeof content === 'string' && content !== '' && !content.endsWith('\n');
  return {
    ...input,
    target_type: kind,
    operation: operation ?? (kind === 'frontmatter' ? 'replace' : 'append'),
    content: isOpen ? `${content}\n` : content,
  };
}

/**
 * Changes a part of a note. A heading is named by its path or the end of it, and text below it is put on its own lines,
 * however the server treats line ends. A missing part is `not_found`, with the existing ones.
 */
export async function patchPart(call: Call, input: PartInput): Promise<Outcome> {
  const meant = patchMeant(input);
  const named: Outcome<Named> =
    meant.target_type === 'heading' ? await withFullPath(call, meant) : succeeded({ patch: meant });
  const readMap = () => call('notes.read', { path: meant.path, format: 'document_map' });
  if (!named.ok) return named;
  const { patch, address = patch.target } = named.data;
  const patched = await call('notes.patch', patch);
  return patched.ok ? partPatched({ ...meant, target: address }, patched.revision) : orMissing(readMap, meant, patched);
}

const changes = { append: 'appended', prepend: 'prepended', replace: 'replaced' } as const;

/** The answer of a patch: what has changed, but not the note. */
export function partPatched(
  { path, target, target_type, operation, content }: PatchMeant,
  revision: string | undefined,
): Outcome {
  const isValue = target_type === 'frontmatter' && operation === 'replace';
  const part = target_type === 'block' ? `^${target.replace(/^\^/, '')}` : target;
  return succeeded({
    path,
    target: part,
    change: changes[operation],
    ...(isValue ? { value: content } : {}),
    revision,
  });
}

/** The outcome of a patch; of a missing target with the parts that exist. */
export async function orMissing(
  readMap: () => Promise<Outcome>,
  { target_type, target }: PatchMeant,
  patched: Outcome,
): Promise<Outcome> {
  if (patched.ok || !isTargetMissing(patched)) return patched;
  const map = await readMap();
  return map.ok ? missingPart(target_type, target, map.data) : patched;
}

/** A patch with the full path of its heading, and the text that names the heading for a person; its target by default. */
type Named = Readonly<{ patch: PatchMeant; address?: string }>;

/** Finds the heading in the note's text, for a server that knows headings by their full paths only. */
async function withFullPath(call: Call, patch: PatchMeant): Promise<Outcome<Named>> {
  const read = await call('notes.read', { path: patch.path });
  if (!read.ok) return read;
  const text = typeof read.data === 'string' ? read.data : '';
  if (text.length > maxNote) return failed('too_large', `A note of more than ${maxNote} characters has no parts.`);
  const sections = sectionsOf(text);
  const found = whichSection(text, sections, { target: patch.target });
  if (!found.ok) return failed('invalid_input', found.failure.detail);
  if (found.value === null) return withNewPath(patch, text, sections);
  const address = addressIn(sections, found.value);
  const target = fullPathOf(found.value, text, sections) ?? address;
  const appended = patch.operation === 'append' ? appendedTo(text, found.value, patch.content) : {};
  return succeeded({ patch: { ...patch, ...appended, target, create_target_if_missing: false }, address });
}

/** What is sent to append to a section: rows and items continue the table or list that it ends in. */
function appendedTo(text: string, { start, end }: Section, content: PatchMeant['content']): Partial<PatchMeant> {
  const isLast = end === text.length;
  if (typeof content === 'string' && continuesBlock(text.slice(start, end), content)) {
    const lineEnd = lineEndOf(text);
    return { content: `${lineEnd}${content}${isLast ? '' : lineEnd}`, trim_target_whitespace: true };
  }
  return isLast ? { content: onLineOfItsOwn(text, content) } : {};
}

function withNewPath(patch: PatchMeant, text: string, sections: readonly Section[]): Outcome<Named> {
  if (patch.create_target_if_missing !== true) {
    return missingPart('heading', patch.target, {
      headings: areTooLong(sections) ? [] : addressesOf(sections.slice(1)),
    });
  }
  const place = placeOfNewHeading(text, sections, { target: patch.target });
  if (!place.ok) return failed('invalid_input', place.failure.detail);
  const { above, path } = place.value;
  if (above === null) return succeeded({ patch: { ...patch, target: path } });
  const full = fullPathOf(above, text, sections);
  return full === null
    ? failed(
        'rejected',
        `Of several headings "${above.path.join(headingDelimiter)}", the notes app can make none below.`,
      )
    : succeeded({
        patch: { ...patch, target: full + headingDelimiter + path },
        address: addressIn(sections, above) + headingDelimiter + path,
      });
}

/** The full path of a heading; null where several headings have it. */
function fullPathOf({ path }: Section, text: string, sections: readonly Section[]): string | null {
  const target = path.join(headingDelimiter);
  return whichSection(text, sections, { target, isFullPath: true }).ok ? target : null;
}

/** Begins with a line end where the content would otherwise continue an unterminated last line. */
function onLineOfItsOwn(text: string, content: PatchMeant['content']): PatchMeant['content'] {
  const isGlued = typeof content === 'string' && content !== '' && !/^\r?\n/.test(content) && !/[\r\n]$/.test(text);
  return isGlued && text !== '' ? `\n${content}` : content;
}

function isTargetMissing(outcome: Outcome): boolean {
  if (outcome.ok) return false;
  const message = outcome.message.toLowerCase();
  const target = message.indexOf('target');
  return message.includes('invalid-target') || (target !== -1 && message.includes('not found', target));
}
