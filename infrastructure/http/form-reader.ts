import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { discardRest } from '#infrastructure/http/server-bodies.ts';

/** A part of a form: a field with its text, or a file whose bytes can be read once. `name` is the field's. */
export type FormPart =
  | Readonly<{ kind: 'field'; name: string; value: string }>
  | Readonly<{ kind: 'file'; name: string; fileName: string; mediaType: string; bytes: AsyncIterable<Uint8Array> }>;

/** Thrown for a form that cannot be read; the message is for the client. */
export class FormError extends Error {
  readonly reason: 'malformed' | 'too_large' | 'aborted';

  constructor(reason: FormError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const maxParts = 64;
const maxFieldBytes = 256 * 1024;
const maxNameLength = 100;
const maxFileNameLength = 255;
const limits = {
  parts: maxParts,
  fields: maxParts,
  files: maxParts,
  fieldSize: maxFieldBytes,
  headerPairs: 16,
  headerSize: 8 * 1024,
};

/** RFC 2046 §5.1.1: 1 to 70 characters, the last of which is not a space. */
const boundary = /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

/**
 * Reads the parts of a multipart/form-data body (RFC 7578) as they arrive. Only fields are buffered, with a size limit;
 * the request is paused while no part is being read (back-pressure). The caller must close it, even before its end.
 */
export class FormReader {
  readonly #request: IncomingMessage;
  readonly #parser: InstanceType<typeof Busboy>;
  /** Parts that have arrived but were not read yet; null is the end. */
  readonly #parts: (FormPart | null)[] = [];
  #file: Readable | null = null;
  #error: FormError | null = null;
  #wake: (() => void) | null = null;

  /** Throws a `FormError` when the media type has no valid boundary. */
  constructor(request: IncomingMessage) {
    const contentType = request.headers['content-type'] ?? '';
    if (!boundary.test(contentType)) {
      throw new FormError('malformed', 'The Content-Type of the form has no boundary, or an invalid one.');
    }
    this.#request = request;
    this.#parser = new Busboy({
      headers: { 'content-type': contentType },
      limits,
      // Only a part with a file name is a file; a JSON field may have a media type.
      isPartAFile: (_, __, fileName) => fileName !== undefined,
    });
    this.#listen();
    request.pipe(this.#parser);
  }

  /**
   * Returns the next part, null after the last. A file's bytes must be read before the next call. Throws a `FormError`.
   */
  async next(): Promise<FormPart | null> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) return part;
      if (this.#error !== null) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Releases the request and discards the rest of it. */
  close(): void {
    this.#request.unpipe(this.#parser);
    this.#fail(new FormError('aborted', 'The form is no longer read.'));
    if (!this.#request.readableEnded) discardRest(this.#request);
  }

  #listen(): void {
    const fail = (error: FormError) => this.#fail(error);
    this.#parser
      .on('field', (name, value, _, isCut, encoding) => this.#takeField({ name, value, isCut, encoding }))
      .on('file', (name, stream, fileName, encoding, mediaType) =>
        this.#takeFile(stream, { name, fileName, encoding, mediaType }),
      )
      .on('partsLimit', () => fail(tooMany))
      .on('fieldsLimit', () => fail(tooMany))
      .on('filesLimit', () => fail(tooMany))
      .on('error', () => fail(broken))
      .on('finish', () => this.#give(null));
    this.#request.on('error', () => fail(gone));
    this.#request.once('close', () => {
      if (!this.#request.complete) fail(gone);
    });
  }

  #takeField({ name = '', value, isCut, encoding }: Taken & Readonly<{ value: string; isCut: boolean }>): void {
    const error = isCut
      ? new FormError('too_large', `The field \`${name}\` is longer than ${maxFieldBytes} bytes.`)
      : errorOf(name, encoding);
    if (error === null) this.#give({ kind: 'field', name, value });
    else this.#fail(error);
  }

  #takeFile(stream: Readable, file: Taken & Readonly<{ fileName: string; mediaType: string }>): void {
    const { name = '', fileName, encoding, mediaType } = file;
    // The reader of the file reports the error; without a reader it must not be unhandled.
    stream.on('error', () => undefined);
    const error =
      fileName.length > maxFileNameLength
        ? new FormError('malformed', `The name of a file may have ${maxFileNameLength} characters.`)
        : errorOf(name, encoding);
    if (error !== null) {
      stream.resume();
      this.#fail(error);
      return;
    }
    this.#file = stream;
    if (this.#error !== null) stream.destroy(this.#error);
    this.#give({ kind: 'file', name, fileName, mediaType, bytes: this.#bytesOf(stream) });
  }

  async *#bytesOf(stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    } catch {
      // The parser destroys the file's stream before it reports the form's error.
      throw this.#error ?? broken;
    }
  }

  #give(part: FormPart | null): void {
    if (this.#error !== null) return;
    this.#parts.push(part);
    this.#wake?.();
  }

  #fail(error: FormError): void {
    if (this.#error !== null) return;
    this.#error = error;
    this.#request.unpipe(this.#parser);
    if (this.#file?.readableEnded === false) this.#file.destroy(error);
    this.#wake?.();
  }
}

/** The parser's information on a part; `name` is undefined when the part has none. */
type Taken = Readonly<{ name: string | undefined; encoding: string }>;

const tooMany = new FormError('too_large', `A form may have ${maxParts} parts.`);
const broken = new FormError(
  'malformed',
  'The form ends before its closing boundary, or its parts cannot be separated.',
);
const gone = new FormError('aborted', 'The sender disconnected before the form was complete.');

/**
 * Rejects a part with a Content-Transfer-Encoding that is not an identity (deprecated by RFC 7578 §4.7): its encoded
 * bytes would be stored.
 */
function errorOf(name: string, encoding: string): FormError | null {
  if (name === '') return new FormError('malformed', 'A part of the form has no name.');
  if (name.length > maxNameLength) {
    return new FormError('malformed', `The name of a field may have ${maxNameLength} characters.`);
  }
  return /^(?:7bit|8bit|binary)$/.test(encoding)
    ? null
    : new FormError(
        'malformed',
        `The Content-Transfer-Encoding of \`${name}\` is not read here. Send the bytes as they are.`,
      );
}
