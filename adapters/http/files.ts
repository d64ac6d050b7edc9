import { Readable } from 'node:stream';
import type { RouteContext } from '#adapters/http/route.ts';
import type { FileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { readBytes } from '#infrastructure/http/read-bytes.ts';

/** Bytes that one upload may have: 512 MiB, as a stream that is never held. */
const maxUploadBytes = 512 * 1024 * 1024;
const maxJsonBytes = 8 * 1024 * 1024;

/**
 * The body of an upload: JSON with the file in it, or the file's own bytes as the raw body, under the input's name. The
 * raw form takes the file's name from the query's `file_name` and its media type from Content-Type.
 */
export async function readUpload(ctx: RouteContext, input: string): Promise<Outcome> {
  if (ctx.is('application/json') !== false) {
    const body = await readBytes(ctx.req, maxJsonBytes);
    if (typeof body !== 'string') return succeeded(parsed(new TextDecoder().decode(body)));
    return failed(
      'too_large',
      `JSON with a file in it may have ${maxJsonBytes} bytes. Send a larger file as the raw body.`,
    );
  }
  const { file_name: name } = ctx.query;
  delete ctx.query['file_name'];
  const length = Number(ctx.get('content-length'));
  const file: FileContent = {
    kind: 'file',
    name: typeof name === 'string' && name !== '' ? name : 'upload',
    mediaType: ctx.get('content-type') || 'application/octet-stream',
    size: ctx.get('content-length') === '' || Number.isNaN(length) ? null : length,
    bytes: bounded(ctx.req),
  };
  return succeeded({ [input]: file });
}

/** What is no JSON stays text, which the operation's input check refuses with what would be right. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxUploadBytes) throw new Error(`The upload is larger than ${maxUploadBytes} bytes.`);
    yield chunk;
  }
}

/** Sends a file on as it comes in. It is always a download, never a page of ours. */
export function sendFile(ctx: RouteContext, file: FileContent): void {
  ctx.attachment(file.name);
  ctx.type = file.mediaType;
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (file.size !== null) ctx.length = file.size;
  ctx.body = Readable.from(file.bytes, { objectMode: false });
}
