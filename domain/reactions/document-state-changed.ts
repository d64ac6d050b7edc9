import { inlineText } from '#domain/notes/markdown-text.ts';
import { contractNote } from '#domain/reactions/contract-note.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/**
 * Document state changed → its contract note gets `status` in the frontmatter and the change under Status History
 * (REACT-003); a missing note is created from the template (REACT-006).
 */
export const documentStateChanged = on('signing', ['document_state_changed'], (event, surroundings) => {
  const { document } = event;
  const what = document.status === null ? 'state changed' : `status → ${inlineText(document.status)}`;
  const history = [datedEntry('Status History', event, what)];
  return [contractNote(event, surroundings, { frontmatter: {}, history })];
});
