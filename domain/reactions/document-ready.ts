import { linkTo } from '#domain/notes/markdown-text.ts';
import { contractNote } from '#domain/reactions/contract-note.ts';
import { on } from '#domain/reactions/reaction.ts';
import { historyMark } from '#domain/reactions/step.ts';

/**
 * Signed PDF ready → the contract note gets a download link, once however often the event comes (REACT-004). The link
 * leads to this server: it works for any user who is signed in here, and carries no secret.
 */
export const documentReady = on('signing', ['document_completed_pdf_ready'], (event, surroundings) => {
  const { record, document } = event;
  const url = `${surroundings.baseUrl}/api/signing/documents/${encodeURIComponent(document.id)}/download`;
  const text = `- ${linkTo('Download the signed PDF', url)}`;
  // Marked without a time: a repeated event adds no second link.
  const history = [{ heading: 'Download', text, mark: historyMark(record, 0, 'download') }];
  return [contractNote(event, surroundings, { frontmatter: { download_url: url }, history })];
});
