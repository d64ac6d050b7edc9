import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { path } from '#adapters/services/vault/inputs.ts';
import { sectionRead } from '#adapters/services/vault/outputs.ts';
import { missingPart } from '#adapters/services/vault/recipes/missing-part.ts';
import { isFolder } from '#adapters/services/vault/recipes/note-calls.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { type NoteSection, noteSection, type SectionName, sectionNamed } from '#domain/notes/note-section.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { type Failure, failed, type Outcome, succeeded, withRevision } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const recipe = recipesOver(rows);

/** What the tool for one part of a note takes. */
export type SectionInput = Readonly<{ path: string; target?: string | undefined; lines?: string | undefined }>;

/** The part that an input names; neither or both of its names are a failure. */
export function sectionMeant({ target, lines }: SectionInput): Result<SectionName, Failure> {
  if ((target === undefined) === (lines === undefined)) {
    return err(failed('invalid_input', 'Give either target, a heading or block, or lines.'));
  }
  if (target !== undefined) return ok(sectionNamed(target));
  const [from = 0, to = from] = (lines ?? '').split('-').map(Number);
  return ok({ kind: 'lines', from, to });
}

/** The answer with a part of a note; without one, the failure that says which parts there are. */
export async function sectionAnswer(
  notePath: string,
  name: SectionName,
  section: NoteSection | null,
  readMap: () => Promise<Outcome>,
): Promise<Outcome> {
  if (section !== null) return succeeded({ path: notePath, ...section });
  if (name.kind === 'lines') return failed('not_found', `The note has no lines ${name.from} to ${name.to}.`);
  const map = await readMap();
  return map.ok ? missingPart(name.kind, name.target, map.data, '') : map;
}

/** The tool that reads one part of a note (VAULT-023). */
export const sectionRecipes = {
  'notes.section': recipe(
    'read',
    'Reads a part of a note: a heading with what is below it, a block, or lines. For all use vault_note_read',
    {
      path,
      target: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe('"History", "Deal::History", "History#2" if repeated, or a block as "^id"'),
      lines: z
        .string()
        .regex(/^[1-9]\d{0,8}(?:-[1-9]\d{0,8})?$/, { error: 'must be a line or two with "-"' })
        .optional()
        .describe('"20-45", from 1'),
    },
    { tool: 'vault_note_section', output: sectionRead, route: { method: 'GET', path: '/section/{+path}' } },
    async (call, input) => {
      const name = sectionMeant(input);
      if (!name.ok) return name.failure;
      if (input.path.endsWith('/')) return isFolder(input.path);
      const read = await call('notes.read', { path: input.path });
      if (!read.ok) return read;
      const text = typeof read.data === 'string' ? read.data : '';
      if (text.length > maxNote) return failed('too_large', `A note of more than ${maxNote} characters has no parts.`);
      const found = noteSection(text, name.value);
      if (!found.ok) return failed('invalid_input', found.failure.detail);
      const readMap = () => call('notes.read', { path: input.path, format: 'document_map' });
      const answer = await sectionAnswer(input.path, name.value, found.value, readMap);
      return withRevision(answer, read.revision);
    },
  ),
} as const;
