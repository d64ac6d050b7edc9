import { type Failure, failed } from '#domain/operations/outcome.ts';
import { FormError } from '#infrastructure/http/form-reader.ts';

/** The maximum size of an uploaded file in bytes: 512 MiB, streamed and never buffered. */
export const maxUploadBytes = 512 * 1024 * 1024;
/**
 * The maximum size in bytes of JSON that contains a file, and of a file in a form that is buffered until the fields
 * after it are known.
 */
export const maxHeldBytes = 8 * 1024 * 1024;

/**
 * A parsed upload. `body` is its content, with the file under the input's name; `texts` are inputs sent as text, to be
 * parsed by the input's schema. `error` is the body's error, which may occur only while the file arrives; null without
 * one. `close` releases what has not been read.
 */
export type Upload = Readonly<{
  body: unknown;
  texts: Readonly<Record<string, string>>;
  error(): Failure | null;
  close(): void;
}>;

/** Passes the bytes through; throws once they exceed a file's maximum size. */
export async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxUploadBytes) throw tooLarge;
    yield chunk;
  }
}

/**
 * Passes the bytes through and records the error that ended them early: whoever forwards the stream learns only that it
 * ended.
 */
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

/** Thrown for a file that exceeds the maximum size. */
export const tooLarge = new FormError('too_large', `A file may have at most ${maxUploadBytes} bytes.`);
/** Thrown for an invalid form; the message says what is valid. */
export const malformed = (message: string): FormError => new FormError('malformed', message);

/** Converts an error of the body to a failure for its sender. */
export function bodyFailureOf(error: unknown): Failure {
  if (!(error instanceof FormError)) return failed('invalid_input', 'The body is incomplete: its sender disconnected.');
  return failed(error.reason === 'too_large' ? 'too_large' : 'invalid_input', error.message);
}
