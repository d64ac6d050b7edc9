import type { NoteChange } from '#adapters/contracts/changes.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/**
 * The note that a successful answer of the vault has changed. Rows without a path (the active note, periodic notes)
 * take it from the Content-Location header of servers that resolve the note. Notes changed by a command of the notes
 * app, or created by opening them, cannot be known here.
 */
export function changedNote(
  { method, effect, path: template }: RequestRow,
  inputs: Inputs,
  { headers }: HttpAnswer,
): Omit<NoteChange, 'userId'> | null {
  if (effect === 'read') return null;
  const path = template === '/vault/{+path}' ? inputs['path'] : locationIn(headers);
  if (typeof path !== 'string') return null;
  if (method === 'DELETE') return { path, kind: 'gone' };
  return { path, kind: inputs['if_none_match'] === '*' ? 'made' : 'changed' };
}

/** The path of the note in the Content-Location header; null without one. */
export function locationIn(headers: HttpAnswer['headers']): string | null {
  const location = headers['content-location'];
  try {
    return location === undefined ? null : decodeURIComponent(location).replace(/^\//, '');
  } catch {
    return null;
  }
}
