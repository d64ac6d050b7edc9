import { type Failure, failed } from '#domain/operations/outcome.ts';
import { FormError } from '#infrastructure/http/form-reader.ts';

/** Bytes that one uploaded file may have: 512 MiB, as a stream that is never held. */
export const maxUploadBytes = 512 * 1024 * 1024;
/** Bytes of JSON with a file in it, and of a file in a form that is held until the fields behind it are known. */
export const maxHeldBytes = 8 * 1024 * 1024;

/**
 * What came with an upload. `body` is what it holds, with the file under the input's name; `texts` are inputs that came as text, to be
 * read as the input's schema says. `error` tells what was wrong with the body, which may show only while the file is on its way; null
 * when nothing was. `close` lets go of what has not been read.
 */
export type Upload = Readonly<{
  body: unknown;
  texts: Readonly<Record<string, string>>;
  error(): Failure | null;
  close(): void;
}>;

/** The bytes, up to what a file may have. */
export async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxUploadBytes) throw tooLarge;
    yield chunk;
  }
}

/** The bytes, and what broke them off: whoever sends them on only learns that they ended. */
export function watched(
  bytes: AsyncIterable<Uint8Array>,
): Readonly<{ bytes: AsyncIterable<Uint8Array>; error(): Failure | null }> {
  let failure: Failure | null = null;
  const passOn = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      failure = bodyFailureOf(error);
      throw error;
    }
  };
  return { bytes: passOn(), error: () => failure };
}

/** A file that is larger than may be. */
export const tooLarge = new FormError('too_large', `A file may have ${maxUploadBytes} bytes.`);
/** A form that cannot be meant; the message says what would be right. */
export const malformed = (message: string): FormError => new FormError('malformed', message);

/** What an error of the body is to its sender. */
export function bodyFailureOf(error: unknown): Failure {
  if (!(error instanceof FormError)) return failed('invalid_input', 'The body is not whole: its sender went away.');
  return failed(error.reason === 'too_large' ? 'too_large' : 'invalid_input', error.message);
}
