import type { IncomingMessage } from 'node:http';
import {
  bodyFailureOf,
  bounded,
  maxHeldBytes,
  maxUploadBytes,
  tooLarge,
  type Upload,
  watched,
} from '#adapters/http/rest/upload-body.ts';
import { readForm } from '#adapters/http/rest/upload-form.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { type FileContent, plainFileName } from '#domain/operations/file-content.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { discardRest, readBytes } from '#infrastructure/http/server-bodies.ts';

/** Thrown for an unsupported kind of body; the message names the three supported ones. */
export type UnknownKind = Readonly<{ ok: false; reason: 'unsupported'; message: string }>;

/**
 * Opens the body of an upload, in one of three kinds: a form (multipart/form-data) with the file and other inputs as
 * fields; the file's raw bytes under its media type, its name in the query's `file_name`; or JSON with the file as
 * base64.
 */
export async function openUpload(ctx: RouteContext, input: string): Promise<Outcome<Upload> | UnknownKind> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = ctx.req.headers;
  if (!hasBody(ctx.req)) return succeeded(whole({}));
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (encoding.toLowerCase() !== 'identity') return unknown(input, `with the Content-Encoding ${encoding}`);
  if (mediaType === 'application/json') return readJson(ctx);
  if (mediaType === 'multipart/form-data') return readForm(ctx.req, input);
  if (!isOfAFile(mediaType)) return unknown(input, `as ${mediaType}`);
  return rawFile(ctx, input, type);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Whether a media type means a raw file: any or none, except those of the other two kinds of body. */
function isOfAFile(mediaType: string): boolean {
  if (mediaType === '') return true;
  return (
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType) &&
    mediaType !== 'application/x-www-form-urlencoded' &&
    !/^(?:multipart|message)\//.test(mediaType)
  );
}

function unknown(input: string, how: string): UnknownKind {
  const message = `A body ${how} is not accepted here. A file is sent in one of three ways: as multipart/form-data with the file in the field \`${input}\`; as its own bytes with its media type as Content-Type, such as application/pdf or application/octet-stream, and its name as \`?file_name=\`; or as application/json with {"${input}": {"name", "content_base64", "media_type"}}.`;
  return { ok: false, reason: 'unsupported', message };
}

const whole = (body: unknown): Upload => ({ body, texts: {}, error: () => null, close: () => undefined });

async function readJson(ctx: RouteContext): Promise<Outcome<Upload>> {
  const body = await readBytes(ctx.req, maxHeldBytes);
  if (body === 'aborted') return failed('invalid_input', 'The body is incomplete.');
  if (body === 'too_large') {
    const message = `JSON that contains a file may have at most ${maxHeldBytes} bytes. Send a larger file as a form or as the raw body.`;
    return failed('too_large', message);
  }
  try {
    return succeeded(whole(JSON.parse(new TextDecoder().decode(body))));
  } catch {
    return failed('invalid_input', 'The body is not JSON, although its Content-Type says so.');
  }
}

/** Takes the whole body as the file; the query parameters other than its name are the other inputs. */
function rawFile(ctx: RouteContext, input: string, mediaType: string): Outcome<Upload> {
  const { file_name: name } = ctx.query;
  delete ctx.query['file_name'];
  const length = ctx.get('content-length');
  if (Number(length) > maxUploadBytes) {
    discardRest(ctx.req);
    return bodyFailureOf(tooLarge);
  }
  const source = watched(bounded(ctx.req.iterator({ destroyOnReturn: false })));
  const file: FileContent = {
    kind: 'file',
    name: plainFileName(typeof name === 'string' ? name : ''),
    mediaType: mediaType === '' ? 'application/octet-stream' : mediaType,
    size: length === '' ? null : Number(length),
    bytes: source.bytes,
  };
  const close = () => {
    if (!ctx.req.readableEnded) discardRest(ctx.req);
  };
  return succeeded({ body: { [input]: file }, texts: {}, error: source.error, close });
}
