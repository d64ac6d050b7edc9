import type { SigningEvent } from '#domain/events/signing-event.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { newNote } from '#domain/notes/templates.ts';
import type { Surroundings } from '#domain/reactions/reaction.ts';
import type { HistoryEntry, NoteStep } from '#domain/reactions/step.ts';

/** The frontmatter key of a document's id in its contract note. */
const documentIdKey = 'signing_document_id';

/**
 * Builds the step for a document's contract note: `more` holds the frontmatter besides id, title and status, and the
 * history lines.
 */
export function contractNote(
  { record, document, occurredAt }: SigningEvent,
  { templates }: Surroundings,
  more: Readonly<{ frontmatter: Frontmatter; history: readonly HistoryEntry[] }>,
): NoteStep {
  const { id, name, status } = document;
  const untitled = `Document ${id}`;
  const frontmatter = {
    [documentIdKey]: record.id,
    ...(name === null ? {} : { title: name }),
    ...(status === null ? {} : { status }),
    ...more.frontmatter,
  };
  const texts = { id: inlineText(id), title: inlineText(name ?? '') || inlineText(untitled) };
  return {
    do: 'note',
    record,
    idKey: documentIdKey,
    frontmatter,
    history: more.history,
    occurredAt,
    create: newNote(templates.contract, { frontmatter, names: { id, title: name }, untitled, texts }),
  };
}
