import { randomBytes } from 'node:crypto';

/** A file part of a form; `bytes` can be read once. `size` is in bytes, null when unknown. */
type FormFile = Readonly<{
  field: string;
  name: string;
  mediaType: string;
  size: number | null;
  bytes: AsyncIterable<Uint8Array>;
}>;

/**
 * A multipart/form-data body (RFC 7578) that is generated while it is sent. `length` is null when the file's size is
 * unknown.
 */
type FormBody = Readonly<{ contentType: string; length: number | null; bytes: AsyncIterable<Uint8Array> }>;

/**
 * Builds a form of text fields and at most one file; the file comes last, so that receivers know the fields before its
 * bytes.
 */
export function multipart(fields: Readonly<Record<string, string>>, file: FormFile | null): FormBody {
  const boundary = `portolan-${randomBytes(18).toString('base64url')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  );
  if (file === null) return wholeForm(boundary, Buffer.from(`${texts.join('')}--${boundary}--\r\n`));
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="${escaped(file.field)}"; ` +
      `filename="${escaped(file.name)}"\r\ncontent-type: ${written(file.mediaType)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: file.size === null ? null : head.byteLength + file.size + tail.byteLength,
    bytes: (async function* () {
      yield head;
      yield* file.bytes;
      yield tail;
    })(),
  };
}

function wholeForm(boundary: string, form: Buffer): FormBody {
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: form.byteLength,
    bytes: (async function* () {
      yield form;
    })(),
  };
}

const unsafe = /["\p{Cc}]/gu;
const mediaTypeSyntax =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w!#$&'()*+,./:;<=>?@^`{|}~ -]*"))*$/;

/**
 * Escapes names as browsers do (HTML, multipart/form-data encoding): quotes and control characters are percent-encoded.
 */
function escaped(name: string): string {
  return name.replaceAll(unsafe, encodeURIComponent);
}

/** Returns a media type that is valid in a header; application/octet-stream in place of any other text. */
function written(mediaType: string): string {
  return mediaTypeSyntax.test(mediaType) ? mediaType : 'application/octet-stream';
}
