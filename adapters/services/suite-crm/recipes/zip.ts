import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

const localHeaderLength = 30;
const localHeader = 0x04034b50;
const endOfDirectory = 0x06054b50;

/**
 * Passes the bytes through or, for a ZIP archive, decompresses its first file as a stream, holding only a chunk in
 * memory. Reading throws when the archive is truncated, encrypted, or compressed other than by Deflate.
 */
export async function* unzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(bytes);
  const head = await reader.peek(4);
  const signature = head.length < 4 ? 0 : head.readUInt32LE(0);
  if (signature === endOfDirectory) return;
  if (signature !== localHeader) return yield* reader.rest();
  const header = await reader.take(localHeaderLength);
  const flags = header.readUInt16LE(6);
  const method = header.readUInt16LE(8);
  const size = header.readUInt32LE(18);
  await reader.take(header.readUInt16LE(26) + header.readUInt16LE(28));
  if ((flags & 1) === 1) throw new Error('The archive is encrypted.');
  if (method === 0 && (flags & 8) === 0) return yield* reader.next(size);
  if (method !== 8) throw new Error(`The archive is packed by method ${method}, which is not known here.`);
  yield* inflated(reader.rest());
}

/** The stream ends at the end of the compressed data; the rest of the archive is not read. */
async function* inflated(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false });
  const inflater = createInflateRaw();
  source.once('error', (error) => inflater.destroy(error));
  source.pipe(inflater);
  try {
    for await (const chunk of inflater) yield chunk;
  } finally {
    source.destroy();
    inflater.destroy();
  }
}

/** Reads a given number of bytes from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Returns the next bytes without consuming them; fewer at the end. */
  async peek(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const step = await this.#chunks.next();
      if (step.done === true) break;
      this.#held = Buffer.concat([this.#held, step.value]);
    }
    return this.#held.subarray(0, length);
  }

  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    if (taken.length < length) throw new Error('The archive is cut short.');
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Consumes exactly `length` bytes, yielding them as they arrive. */
  async *next(length: number): AsyncGenerator<Uint8Array> {
    let left = length;
    if (left === 0) return;
    for await (const chunk of this.rest()) {
      yield chunk.subarray(0, left);
      left -= chunk.byteLength;
      if (left <= 0) return;
    }
    throw new Error('The archive is cut short.');
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      if (this.#held.length > 0) yield this.#held;
      for (let step = await this.#chunks.next(); step.done !== true; step = await this.#chunks.next()) yield step.value;
    } finally {
      await this.#chunks.return?.();
    }
  }
}
