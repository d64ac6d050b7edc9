import { linkTo } from '#domain/notes/markdown-text.ts';
import { contractNote } from '#domain/reactions/contract-note.ts';
import { on } from '#domain/reactions/reaction.ts';
import { historyMark } from '#domain/reactions/step.ts';

/**
 * Signed PDF ready → the contract note gets one download link, however often the event arrives (REACT-004). The link
 * points to this server, requires a signed-in user, and contains no secret.
 */
export const documentReady = on('signing', ['document_completed_pdf_ready'], (event, surroundings) => {
  const { record, document } = event;
  const url = `${surroundings.baseUrl}/api/signing/documents/${encodeURIComponent(document.id)}/download`;
  const text = `- ${linkTo('Download the signed PDF', url)}`;
  // The mark has no time, so that a repeated event does not add a second link.
  const history = [{ heading: 'Download', text, mark: historyMark(record, 0, 'download') }];
  return [contractNote(event, surroundings, { frontmatter: { download_url: url }, history })];
});
