import { linkTo } from '#domain/notes/markdown-text.ts';
import { contractNote } from '#domain/reactions/contract-note.ts';
import { on } from '#domain/reactions/reaction.ts';
import { historyMark } from '#domain/reactions/step.ts';

/**
 * The signed PDF is ready → a download link in the contract note, once however often it is told
 * (REACT-004). The link is this server's own: it works for whoever is signed in here, and carries no secret.
 */
export const documentReady = on('signing', ['document_completed_pdf_ready'], (event, surroundings) => {
  const { record, document } = event;
  const url = `${surroundings.baseUrl}/api/signing/documents/${encodeURIComponent(document.id)}/download`;
  const text = `- ${linkTo('Download the signed PDF', url)}`;
  // Marked without a time: a second telling adds no second link.
  const history = [{ heading: 'Download', text, mark: historyMark(record, 0, 'download') }];
  return [contractNote(event, surroundings, { frontmatter: { download_url: url }, history })];
});
