import { unzipped } from '#adapters/services/suite-crm/recipes/zip.ts';
import type { FileContent } from '#domain/operations/file-content.ts';

/** Returns an export as CSV: the file inside an archive; anything else unchanged. */
export function unpacked(file: FileContent, jobId: string): FileContent {
  const isPacked = /zip|octet-stream/.test(file.mediaType) || file.name.endsWith('.zip');
  if (!isPacked) return file;
  return { kind: 'file', name: `${jobId}.csv`, mediaType: 'text/csv', size: null, bytes: unzipped(file.bytes) };
}
