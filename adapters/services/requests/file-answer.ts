import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { FileContent } from '#domain/operations/file-content.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import type { HttpStream } from '#infrastructure/http/http-messages.ts';

/** Streams a provider's file through. Its name is the provider's, else derived from the row's path. */
export function fileAnswer(row: RequestRow, inputs: Inputs, { headers, body }: HttpStream): Outcome<FileContent> {
  const size = Number(headers['content-length']);
  return succeeded({
    kind: 'file',
    name: nameIn(headers['content-disposition']) ?? nameOf(row, inputs),
    mediaType: headers['content-type'] ?? 'application/octet-stream',
    // A compressed body is longer than its Content-Length once decompressed.
    size: headers['content-length'] === undefined || headers['content-encoding'] !== undefined ? null : size,
    bytes: body,
  });
}

/** The file name in a Content-Disposition (RFC 6266), without folders; null when there is none. */
export function nameIn(disposition: string | undefined): string | null {
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition ?? '');
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : decoded(encoded.trim());
  const base = name?.split(/[/\\]/).at(-1)?.trim();
  return base === undefined || base === '' ? null : base;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameOf(row: RequestRow, inputs: Inputs): string {
  const parts = [...row.path.matchAll(/\{\+?([^{}]+)\}/g)].map((match) => own(inputs, match[1] ?? ''));
  return ['file', ...parts].join('-').replaceAll(/[^\w.-]+/g, '_');
}
