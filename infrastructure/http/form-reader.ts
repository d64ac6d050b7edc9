import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { discardRest } from '#infrastructure/http/read-bytes.ts';

/** A part of a form: a field with its text, or a file whose bytes come once. `name` is the field's. */
export type FormPart =
  | Readonly<{ kind: 'field'; name: string; value: string }>
  | Readonly<{ kind: 'file'; name: string; fileName: string; mediaType: string; bytes: AsyncIterable<Uint8Array> }>;

/** Why a form cannot be read; the message says it to its sender. */
export class FormFault extends Error {
  readonly reason: 'malformed' | 'too_large' | 'aborted';

  constructor(reason: FormFault['reason'], message: string) {
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

/** RFC 2046 §5.1.1: 1 to 70 characters, the last of which is no blank. */
const boundary = /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

/**
 * Reads the parts of a multipart/form-data body (RFC 7578) one after the other, as they come in: nothing is held but fields, which are
 * bounded, and the request waits while nobody reads. Whoever opens one closes it, also before its end.
 */
export class FormReader {
  readonly #request: IncomingMessage;
  readonly #parser: InstanceType<typeof Busboy>;
  /** Parts that have come and were not asked for yet; null is the end. */
  readonly #parts: (FormPart | null)[] = [];
  #file: Readable | null = null;
  #fault: FormFault | null = null;
  #wake: (() => void) | null = null;

  /** Throws a `FormFault` when the media type has no boundary. */
  constructor(request: IncomingMessage) {
    const contentType = request.headers['content-type'] ?? '';
    if (!boundary.test(contentType)) {
      throw new FormFault('malformed', 'The form has no boundary in its Content-Type, or one that is not allowed.');
    }
    this.#request = request;
    this.#parser = new Busboy({
      headers: { 'content-type': contentType },
      limits,
      // A field of JSON has a media type and is no file; a file has a file name.
      isPartAFile: (_, __, fileName) => fileName !== undefined,
    });
    this.#listen();
    request.pipe(this.#parser);
  }

  /** The next part, null after the last. The bytes of a file have to be read before. Throws a `FormFault`. */
  async next(): Promise<FormPart | null> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) return part;
      if (this.#fault !== null) throw this.#fault;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Lets go of the request: what is left of it is thrown away. */
  close(): void {
    this.#request.unpipe(this.#parser);
    this.#fail(new FormFault('aborted', 'The form is no longer read.'));
    if (!this.#request.readableEnded) discardRest(this.#request);
  }

  #listen(): void {
    const fail = (fault: FormFault) => this.#fail(fault);
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
    const fault = isCut
      ? new FormFault('too_large', `The field \`${name}\` is longer than ${maxFieldBytes} bytes.`)
      : faultOf(name, encoding);
    if (fault === null) this.#give({ kind: 'field', name, value });
    else this.#fail(fault);
  }

  #takeFile(stream: Readable, file: Taken & Readonly<{ fileName: string; mediaType: string }>): void {
    const { name = '', fileName, encoding, mediaType } = file;
    // Told by the reading loop; nobody may be reading yet.
    stream.on('error', () => undefined);
    const fault =
      fileName.length > maxFileNameLength
        ? new FormFault('malformed', `The name of a file may have ${maxFileNameLength} characters.`)
        : faultOf(name, encoding);
    if (fault !== null) {
      stream.resume();
      this.#fail(fault);
      return;
    }
    this.#file = stream;
    if (this.#fault !== null) stream.destroy(this.#fault);
    this.#give({ kind: 'file', name, fileName, mediaType, bytes: this.#bytesOf(stream) });
  }

  async *#bytesOf(stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    } catch {
      // The parser breaks the file off before it says what is wrong with the form.
      throw this.#fault ?? broken;
    }
  }

  #give(part: FormPart | null): void {
    if (this.#fault !== null) return;
    this.#parts.push(part);
    this.#wake?.();
  }

  #fail(fault: FormFault): void {
    if (this.#fault !== null) return;
    this.#fault = fault;
    this.#request.unpipe(this.#parser);
    if (this.#file?.readableEnded === false) this.#file.destroy(fault);
    this.#wake?.();
  }
}

/** What the parser tells of a part; without a name where the part has none. */
type Taken = Readonly<{ name: string | undefined; encoding: string }>;

const tooMany = new FormFault('too_large', `A form may have ${maxParts} parts.`);
const broken = new FormFault(
  'malformed',
  'The form ends before its closing boundary, or its parts cannot be told apart.',
);
const gone = new FormFault('aborted', 'The sender went away before the form was whole.');

/** RFC 7578 §4.7 has bodies as they are: one that is encoded would be stored in its encoding. */
function faultOf(name: string, encoding: string): FormFault | null {
  if (name === '') return new FormFault('malformed', 'A part of the form has no name.');
  if (name.length > maxNameLength) {
    return new FormFault('malformed', `The name of a field may have ${maxNameLength} characters.`);
  }
  return /^(?:7bit|8bit|binary)$/.test(encoding)
    ? null
    : new FormFault(
        'malformed',
        `The Content-Transfer-Encoding of \`${name}\` is not read here. Send the bytes as they are.`,
      );
}
