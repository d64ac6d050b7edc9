import type { EncodedFile } from '#adapters/services/requests/file-input.ts';
import { type FileContent, isFileContent } from '#domain/operations/file-content.ts';

const kinds = /\.(?:pdf|md|markdown)$/i;

/** How far into a PDF its header may be, in characters of base64. */
const headerReach = 1400;

/** Why no document is made of a file: it is neither PDF nor Markdown, or its bytes are not what its name says. */
export function documentFileFault(file: FileContent | EncodedFile): string | null {
  if (!kinds.test(file.name)) {
    return `A document is made of a PDF or Markdown file, whose name ends with .pdf or .md; "${file.name}" does not.`;
  }
  if (isFileContent(file) || !/\.pdf$/i.test(file.name)) return null;
  const head = Buffer.from(file.content_base64.slice(0, headerReach), 'base64').toString('latin1');
  return head.includes('%PDF-') ? null : `"${file.name}" is no PDF: it does not begin with %PDF-.`;
}
