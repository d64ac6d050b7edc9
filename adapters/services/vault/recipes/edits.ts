import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { refusalText } from '#adapters/services/vault/errors.ts';
import { if_match, path } from '#adapters/services/vault/inputs.ts';
import { noteEdited } from '#adapters/services/vault/outputs.ts';
import { type Call, otherRevision, readNote } from '#adapters/services/vault/recipes/note-calls.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { problemOf } from '#application/vault/problems.ts';
import type { EditedNote } from '#domain/notes/edits/edited-note.ts';
import type { EditFailure } from '#domain/notes/edits/note-edit.ts';
import { replaceText } from '#domain/notes/edits/replace-text.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';
import { isYamlMap } from '#infrastructure/yaml/yaml-map.ts';

const recipe = recipesOver(rows);

/** Checks frontmatter only of a length that takes a few milliseconds at most, because it runs on the event loop. */
const isSmallYamlMap = (yaml: string): boolean => isYamlMap(yaml, 16 * 1024);

type Edit = (text: string) => Result<EditedNote, EditFailure>;

/**
 * Edits a note of a connected notes app: reads it, and writes it at the version that was read, where the app states one.
 */
async function editNote(
  call: Call,
  { path: notePath, if_match: expected }: Readonly<{ path: string; if_match?: string | undefined }>,
  edit: Edit,
): Promise<Outcome> {
  const read = await readNote(call, notePath);
  if (!read.ok) return read;
  const { content, version } = read.data;
  const refused = expected === undefined ? null : otherRevision(expected, version);
  if (refused !== null) return refused;
  if (Buffer.byteLength(content) > maxNote) return refusedFor({ reason: 'too_large' });
  const edited = edit(content);
  if (!edited.ok) return refusedFor(edited.failure);
  const condition = version === undefined ? {} : { if_match: `"${version}"` };
  const put = await call('notes.put', { path: notePath, content: edited.value.text, ...condition });
  const { count, lines } = edited.value;
  return put.ok ? succeeded({ path: notePath, count, lines, revision: put.revision }) : put;
}

function refusedFor(failure: Parameters<typeof problemOf>[0]): Outcome {
  const { reason, message } = problemOf(failure);
  return failed(reason, refusalText(message), { sent: 'yes' });
}

/** Tools that change text anywhere in a note (VAULT-014). */
export const editRecipes = {
  'notes.replace': recipe(
    'change',
    'Replaces text in a note wherever it is, if it is there as often as expected; else nothing changes and the count is answered. For a section use vault_note_patch',
    {
      path,
      find: z.string().min(1).max(10_000).describe('The text as it is in the note'),
      replace: z.string().max(1_000_000).describe('What to put in its place; empty removes it'),
      expected: z.int().min(0).default(1).describe('How often it is there; 0 for however often'),
      if_match,
    },
    {
      tool: 'vault_note_replace',
      title: 'Replaces text in a note',
      output: noteEdited,
      effectBy: [{ when: { replace: [''] }, effect: 'lose' }],
      route: { method: 'POST', path: '/replace/{+path}' },
    },
    (call, { find, replace, expected, ...note }) =>
      editNote(call, note, (text) => replaceText(text, { find, replace, expected }, isSmallYamlMap)),
  ),
} as const;
