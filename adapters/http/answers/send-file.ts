import { Readable } from 'node:stream';
import type { RouteContext } from '#adapters/http/route.ts';
import type { FileContent } from '#domain/operations/file-content.ts';

/** Streams a file as a download, never inline, so that no browser renders it as a page of this server. */
export function sendFile(ctx: RouteContext, file: FileContent): void {
  ctx.attachment(file.name);
  ctx.type = file.mediaType;
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (file.size !== null) ctx.length = file.size;
  ctx.body = Readable.from(file.bytes, { objectMode: false });
}
