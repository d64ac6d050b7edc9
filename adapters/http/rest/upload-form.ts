import type { IncomingMessage } from 'node:http';
import {
  bodyFailureOf,
  bounded,
  malformed,
  maxHeldBytes,
  type Upload,
  watched,
} from '#adapters/http/rest/upload-body.ts';
import { type FileContent, plainFileName } from '#domain/operations/file-content.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { type FormPart, FormReader } from '#infrastructure/http/form-reader.ts';
import { discardRest } from '#infrastructure/http/server-bodies.ts';

/**
 * Reads a form until its operation can be sent: to its end when the file is small, so that the fields may come in any
 * order; else up to the file, after which no further fields may come.
 */
export async function readForm(request: IncomingMessage, input: string): Promise<Outcome<Upload>> {
  let reader: FormReader | null = null;
  try {
    reader = new FormReader(request);
    const upload = await readParts(reader, input);
    return succeeded(upload);
  } catch (error) {
    reader?.close();
    if (reader === null) discardRest(request);
    return bodyFailureOf(error);
  }
}

async function readParts(reader: FormReader, input: string): Promise<Upload> {
  const texts = new Map<string, string>();
  const upload = (body: Readonly<Record<string, FileContent>>, error: Upload['error']): Upload => ({
    body,
    texts: Object.fromEntries(texts),
    error,
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
    if (file.size === null) return upload({ [input]: file }, content.error);
  }
  return upload(file === null ? {} : { [input]: file }, () => null);
}

const cameTwice = (name: string) =>
  `The field \`${name}\` occurs twice. Send each field once; a list is one field of JSON.`;
const asFile = (input: string) => `Send one file, as the field \`${input}\`: curl -F ${input}=@report.pdf.`;

type FilePart = Extract<FormPart, { kind: 'file' }>;

/**
 * The form's file: buffered when it is small; else with `size` null, as the bytes read so far followed by the rest of
 * the stream.
 */
async function contentOf(
  reader: FormReader,
  { name, fileName, mediaType, bytes }: FilePart,
): Promise<Readonly<{ file: FileContent; error: Upload['error'] }>> {
  const file = { kind: 'file', name: plainFileName(fileName), mediaType } as const;
  const rest = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size <= maxHeldBytes) {
    const { done, value } = await rest.next();
    if (done === true) {
      // Browsers send this for a file input without a selection.
      if (fileName === '' && size === 0) throw malformed(`The field \`${name}\` has no file in it.`);
      return { file: { ...file, size, bytes: once(held) }, error: () => null };
    }
    held.push(value);
    size += value.byteLength;
  }
  const source = watched(bounded(untilEnd(reader, held, rest)));
  return { file: { ...file, size: null, bytes: source.bytes }, error: source.error };
}

async function* once(held: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* held;
}

/**
 * Streams the file to its end, which must also be the end of the form: the inputs have already been sent and can no
 * longer change.
 */
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
    `The field \`${more.name}\` came after the file. After a file of more than ${maxHeldBytes} bytes no field can be read: send the fields first.`,
  );
}
