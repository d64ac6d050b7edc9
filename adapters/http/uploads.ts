import type { IncomingMessage } from 'node:http';
import type { RouteContext } from '#adapters/http/route.ts';
import { type FileContent, plainFileName } from '#domain/operations/file-content.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { FormFault, type FormPart, FormReader } from '#infrastructure/http/form-reader.ts';
import { discardRest, readBytes } from '#infrastructure/http/read-bytes.ts';

/** Bytes that one uploaded file may have: 512 MiB, as a stream that is never held. */
const maxFileBytes = 512 * 1024 * 1024;
/** Bytes of JSON with a file in it, and of a file in a form that is held until the fields behind it are known. */
const maxHeldBytes = 8 * 1024 * 1024;

/**
 * What came with an upload. `body` is what it holds, with the file under the input's name; `texts` are inputs that came as text, to be
 * read as the input's schema says. `fault` tells what was wrong with the body, which may show only while the file is on its way; null
 * when nothing was. `close` lets go of what has not been read.
 */
export type Upload = Readonly<{
  body: unknown;
  texts: Readonly<Record<string, string>>;
  fault(): Failure | null;
  close(): void;
}>;

/** A kind of body that uploads are not taken as; the message names the three that they are. */
export type UnknownKind = Readonly<{ ok: false; reason: 'unsupported'; message: string }>;

/**
 * Opens the body of an upload, in one of three kinds: a form (multipart/form-data) with the file and other inputs as its fields; the
 * file's own bytes under its media type, its name in the query's `file_name`; or JSON with the file in it as base64.
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

/** A file may have any media type, or none, but those of what carries other things. */
function isOfAFile(mediaType: string): boolean {
  if (mediaType === '') return true;
  return (
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType) &&
    mediaType !== 'application/x-www-form-urlencoded' &&
    !/^(?:multipart|message)\//.test(mediaType)
  );
}

function unknown(input: string, how: string): UnknownKind {
  const message = `A body ${how} is not taken here. A file is sent in one of three ways: as multipart/form-data with the file in the field \`${input}\`; as its own bytes with its media type as Content-Type, such as application/pdf or application/octet-stream, and its name as \`?file_name=\`; or as application/json with {"${input}": {"name", "content_base64", "media_type"}}.`;
  return { ok: false, reason: 'unsupported', message };
}

const whole = (body: unknown): Upload => ({ body, texts: {}, fault: () => null, close: () => undefined });

async function readJson(ctx: RouteContext): Promise<Outcome<Upload>> {
  const body = await readBytes(ctx.req, maxHeldBytes);
  if (body === 'aborted') return failed('invalid_input', 'The body is not whole.');
  if (body === 'too_large') {
    const message = `JSON with a file in it may have ${maxHeldBytes} bytes. Send a larger file as a form or as the raw body.`;
    return failed('too_large', message);
  }
  try {
    return succeeded(whole(JSON.parse(new TextDecoder().decode(body))));
  } catch {
    return failed('invalid_input', 'The body is no JSON, although its Content-Type says so.');
  }
}

/** The whole body as the file; what the query holds besides its name are the other inputs. */
function rawFile(ctx: RouteContext, input: string, mediaType: string): Outcome<Upload> {
  const { file_name: name } = ctx.query;
  delete ctx.query['file_name'];
  const length = ctx.get('content-length');
  if (Number(length) > maxFileBytes) {
    discardRest(ctx.req);
    return failureOf(tooLarge);
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
  return succeeded({ body: { [input]: file }, texts: {}, fault: source.fault, close });
}

/**
 * A form as far as it has to be read before anything can be sent: to its end when the file is small, so that the fields may come in
 * any order; else into the file, behind which nothing may come any more.
 */
async function readForm(request: IncomingMessage, input: string): Promise<Outcome<Upload>> {
  let reader: FormReader | null = null;
  try {
    reader = new FormReader(request);
    const upload = await readParts(reader, input);
    return succeeded(upload);
  } catch (error) {
    reader?.close();
    if (reader === null) discardRest(request);
    return failureOf(error);
  }
}

async function readParts(reader: FormReader, input: string): Promise<Upload> {
  const texts = new Map<string, string>();
  const upload = (body: Readonly<Record<string, FileContent>>, fault: Upload['fault']): Upload => ({
    body,
    texts: Object.fromEntries(texts),
    fault,
    close: () => reader.close(),
  });
  let file: FileContent | null = null;
  for (let part = await reader.next(); part !== null; part = await reader.next()) {
    if (texts.has(part.name) || (part.name === input && file !== null)) throw malformed(cameTwice(part.name));
    if (part.kind === 'field') {
      if (part.name === input) throw malformed(`The field \`${input}\` is a text. ${asFile(input)}`);
      texts.set(part.name, part.value);
      continue;
    }
    if (part.name !== input) throw malformed(`A file came as the field \`${part.name}\`. ${asFile(input)}`);
    const content = await contentOf(reader, part);
    file = content.file;
    if (file.size === null) return upload({ [input]: file }, content.fault);
  }
  return upload(file === null ? {} : { [input]: file }, () => null);
}

const cameTwice = (name: string) =>
  `The field \`${name}\` came twice. Each may come once; a list is one field of JSON.`;
const asFile = (input: string) => `Send one file, as the field \`${input}\`: curl -F ${input}=@report.pdf.`;

type FilePart = Extract<FormPart, { kind: 'file' }>;

/** The file of a form: whole when it is small; else with `size` null, as what has been read of it and what is still to come. */
async function contentOf(
  reader: FormReader,
  { name, fileName, mediaType, bytes }: FilePart,
): Promise<Readonly<{ file: FileContent; fault: Upload['fault'] }>> {
  const file = { kind: 'file', name: plainFileName(fileName), mediaType } as const;
  const rest = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size <= maxHeldBytes) {
    const { done, value } = await rest.next();
    if (done === true) {
      // What a page sends of a file input that nothing was chosen in.
      if (fileName === '' && size === 0) throw malformed(`The field \`${name}\` has no file in it.`);
      return { file: { ...file, size, bytes: once(held) }, fault: () => null };
    }
    held.push(value);
    size += value.byteLength;
  }
  const source = watched(bounded(untilEnd(reader, held, rest)));
  return { file: { ...file, size: null, bytes: source.bytes }, fault: source.fault };
}

async function* once(held: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* held;
}

/** The file to its end, which has to be the end of the form too: what it was sent on with can no longer be changed. */
async function* untilEnd(
  reader: FormReader,
  held: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  const more = await reader.next();
  if (more === null) return;
  throw malformed(
    `The field \`${more.name}\` came behind the file. Behind a file of more than ${maxHeldBytes} bytes nothing can be read any more: send the fields first.`,
  );
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxFileBytes) throw tooLarge;
    yield chunk;
  }
}

/** The bytes, and what broke them off: whoever sends them on only learns that they ended. */
function watched(
  bytes: AsyncIterable<Uint8Array>,
): Readonly<{ bytes: AsyncIterable<Uint8Array>; fault(): Failure | null }> {
  let fault: Failure | null = null;
  const passOn = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      fault = failureOf(error);
      throw error;
    }
  };
  return { bytes: passOn(), fault: () => fault };
}

const tooLarge = new FormFault('too_large', `A file may have ${maxFileBytes} bytes.`);
const malformed = (message: string): FormFault => new FormFault('malformed', message);

function failureOf(error: unknown): Failure {
  if (!(error instanceof FormFault)) return failed('invalid_input', 'The body is not whole: its sender went away.');
  return failed(error.reason === 'too_large' ? 'too_large' : 'invalid_input', error.message);
}
