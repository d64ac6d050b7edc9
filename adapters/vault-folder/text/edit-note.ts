import type { EditedNote } from '#domain/notes/edits/edited-note.ts';
import type { EditFailure, NoteEdit } from '#domain/notes/edits/note-edit.ts';
import { replaceText } from '#domain/notes/edits/replace-text.ts';
import type { Result } from '#domain/shared/result.ts';
import { isYamlMap } from '#infrastructure/yaml/yaml-map.ts';

/** Edits the text of a note. Everything outside the places that change is preserved byte for byte. */
export function editNote(text: string, edit: NoteEdit): Result<EditedNote, EditFailure> {
  return replaceText(text, edit, isYamlMap);
}
