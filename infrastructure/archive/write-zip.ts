import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** An entry of an archive: its path, uncompressed size, and SHA-256 in hex. */
type ArchiveEntry = Readonly<{ path: string; bytes: number; sha256: string }>;

/**
 * The size of Node's pool of small buffers while an archive is written, in bytes. The archive keeps the name of each entry, a slice
 * of such a pool; in a pool of Node's 64 KB each would keep what was compressed beside it: 2 GB for 100,000 entries.
 */
const namesPoolSize = 8_192;

/** An archive being written. */
export class ZipWriter {
  readonly #zip: ZipFile;
  readonly #entries: ArchiveEntry[] = [];
  readonly #failed: Promise<never>;

  constructor(zip: ZipFile) {
    this.#zip = zip;
    this.#failed = new Promise((_, reject) => {
      zip.on('error', reject);
    });
    // The next `add`, or the wait for the end, rejects with the error.
    this.#failed.catch(() => undefined);
  }

  /** All entries added so far, in order. */
  get entries(): readonly ArchiveEntry[] {
    return this.#entries;
  }

  /** Adds a text or bytes. */
  async add(path: string, content: string | Buffer): Promise<void> {
    await this.addStream(path, () => Readable.from([Buffer.from(content)]));
  }

  /**
   * Adds the content of a stream, which is opened by this call; resolves when all of it is written. Throws the stream's
   * error.
   */
  async addStream(path: string, openStream: () => Readable): Promise<void> {
    const hash = createHash('sha256');
    let bytes = 0;
    const counting = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        bytes += chunk.byteLength;
        done(null, chunk);
      },
    });
    // The archive keeps this function until its end, and must not keep the stream with its buffers.
    let given: Transform | null = counting;
    this.#zip.addReadStreamLazy(path, { mode: 0o100600 }, (give) => {
      if (given !== null) give(null, given);
      given = null;
    });
    // The archive has taken all of it when the stream ends; until then the next one is not opened.
    await Promise.race([Promise.all([pipeline(openStream(), counting), finished(counting)]), this.#failed]);
    this.#entries.push({ path, bytes, sha256: hash.digest('hex') });
  }
}

/**
 * Writes a ZIP file that only its owner can read; `fill` adds its entries. The file appears only when it is complete,
 * and its content is flushed to disk. Throws EEXIST, before and after writing, when the path exists; nothing is
 * replaced.
 */
export async function writeZip(path: string, fill: (zip: ZipWriter) => Promise<void>): Promise<void> {
  await refuseExisting(path);
  const draft = `${path}.${process.pid}.part`;
  const { poolSize } = Buffer;
  Buffer.poolSize = namesPoolSize;
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
  try {
    const filled = fill(new ZipWriter(zip)).then(() => zip.end());
    await Promise.race([filled, written.then(() => filled)]);
    await written;
    await link(draft, path);
  } finally {
    Buffer.poolSize = poolSize;
    await rm(draft, { force: true });
  }
}

async function refuseExisting(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return;
  await file.close();
  throw Object.assign(new Error(`EEXIST: ${path} exists`), { code: 'EEXIST' });
}
