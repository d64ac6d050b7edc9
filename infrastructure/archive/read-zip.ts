import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, open, type ZipFile } from 'yauzl';

/**
 * Thrown for a file that is not a readable archive or does not match its manifest; the message completes a sentence
 * about the archive.
 */
export class ArchiveError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'ArchiveError';
  }
}

/** The maximum number of entries in an archive. */
const maxEntries = 2_000_000;

const openZip = promisify<string, { lazyEntries: true; autoClose: false; strictFileNames: true }, ZipFile>(open);

/** An archive opened for reading. */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** The paths of all entries: relative, with slashes, without `..`. */
  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Reads a small entry into memory; throws `ArchiveError` when it is missing or larger than `maxBytes`. */
  async read(path: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new ArchiveError(`it has no ${path}`);
    if (entry.uncompressedSize > maxBytes) throw new ArchiveError(`its ${path} is larger than ${maxBytes} bytes`);
    return buffer(await this.#stream(entry));
  }

  /** Streams an entry; the stream fails with an `ArchiveError` when the entry's size or SHA-256 differs. */
  async stream({ path, bytes, sha256 }: Readonly<{ path: string; bytes: number; sha256: string }>): Promise<Readable> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new ArchiveError(`it has no ${path}`);
    if (entry.uncompressedSize !== bytes) throw new ArchiveError(`its ${path} does not have ${bytes} bytes`);
    const hash = createHash('sha256');
    const checking = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        done(null, chunk);
      },
      flush(done) {
        done(hash.digest('hex') === sha256 ? null : new ArchiveError(`its ${path} is damaged`));
      },
    });
    const source = await this.#stream(entry);
    source.on('error', (error) => checking.destroy(new ArchiveError(`its ${path} is damaged (${error.message})`)));
    return source.pipe(checking);
  }

  close(): void {
    this.#zip.close();
  }

  #stream(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) => {
        // yauzl enforces the entry's declared size while it is read.
        if (error === null) resolve(stream);
        else reject(new ArchiveError(`its ${entry.fileName} cannot be read (${error.message})`));
      });
    });
  }
}

/**
 * Opens a ZIP file. Throws `ArchiveError` when it is not one, is damaged, or has a duplicate path or one that leaves
 * its folder.
 */
export async function readZip(path: string): Promise<ZipReader> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
    (error: unknown) => {
      if (error instanceof Error && 'code' in error) throw error;
      throw new ArchiveError(`it is not a complete backup (${messageOf(error)})`);
    },
  );
  try {
    return new ZipReader(zip, await entriesOf(zip));
  } catch (error) {
    zip.close();
    throw error instanceof ArchiveError ? error : new ArchiveError(messageOf(error));
  }
}

function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName)) reject(new ArchiveError(`it has ${entry.fileName} twice`));
      else if (entries.size >= maxEntries) reject(new ArchiveError(`it has more than ${maxEntries} entries`));
      else {
        entries.set(entry.fileName, entry);
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
