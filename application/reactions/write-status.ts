import type { Logger } from '#application/ports/logger.ts';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { type ReadReaction, statusLine } from '#domain/reaction-notes/reaction-note.ts';
import { statusIn, statusKey, withStatusLine } from '#domain/reaction-notes/status-line.ts';
import { own } from '#domain/shared/own.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The maximum length of a status written into a note, in characters. */
const maxStatus = 300;

/** Writes into a note whether its reaction is valid, if it says something else; a failure is only logged. */
export async function writeStatus(
  read: ReadReaction | null,
  { notes, logger }: Readonly<{ notes: VaultNotes; logger: Logger }>,
): Promise<void> {
  if (read === null) return;
  const written = await statusWritten(read, notes);
  if (!written.ok) logger.warn({ path: read.path }, 'The status of a reaction could not be written');
}

async function statusWritten(read: ReadReaction, notes: VaultNotes): Promise<Result<unknown, Failure>> {
  const note = await notes.read(read.path);
  if (!note.ok || note.value === null) return note;
  const status = statusLine(read).slice(0, maxStatus);
  const said = own(note.value.frontmatter, statusKey);
  if ((typeof said === 'string' ? said : statusIn(note.value.content)) === status) return ok(null);
  return read.isYaml ? notes.setFrontmatter(read.path, statusKey, status) : writeLine(note.value, status, notes);
}

/** Writes the status into frontmatter that the vault cannot change because it is not valid YAML. */
async function writeLine(
  { path, content, version }: VaultNote,
  status: string,
  notes: VaultNotes,
): Promise<Result<unknown, Failure>> {
  const text = version === null ? null : withStatusLine(content, status);
  return text === null || version === null ? ok(null) : notes.replace(path, text, version);
}
