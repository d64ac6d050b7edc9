import { join } from 'node:path';
import { openTemplates } from '#adapters/templates/template-files.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';

/**
 * Opens the team's note templates in `DATA_DIR/templates`, where the first start copies them; throws `StartError` with
 * file and line.
 */
export async function openNoteTemplates(dataDir: string): Promise<NoteTemplates> {
  const opened = await openTemplates(join(dataDir, 'templates'));
  if (opened.ok) return opened.value;
  throw new StartError(`The note templates do not fit:\n${opened.failure.map((error) => `  ${error}`).join('\n')}`);
}
