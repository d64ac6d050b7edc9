import { unzipped } from '#adapters/services/suite-crm/recipes/zip.ts';
import type { FileContent } from '#domain/operations/file-content.ts';

/** The result of an export as CSV: an archive becomes the file in it, anything else stays as it is. */
export function unpacked(file: FileContent, jobId: string): FileContent {
  const isPacked = /zip|octet-stream/.test(file.mediaType) || file.name.endsWith('.zip');
  if (!isPacked) return file;
  return { kind: 'file', name: `${jobId}.csv`, mediaType: 'text/csv', size: null, bytes: unzipped(file.bytes) };
}
