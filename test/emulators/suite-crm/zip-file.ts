import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A ZIP archive of one file, packed while it is read: sizes follow the data, as a server writes that does not know them before. */
export async function* zipped(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const label = Buffer.from(name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 6);
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(label.length, 26);
  yield Buffer.concat([head, label]);
  const seen = { crc: 0, size: 0, packed: 0 };
  const deflate = Readable.from(counted(bytes, seen), { objectMode: false }).pipe(createDeflateRaw({ level: 1 }));
  for await (const chunk of deflate) {
    seen.packed += chunk.length;
    yield chunk;
  }
  const sums = Buffer.alloc(12);
  sums.writeUInt32LE(seen.crc, 0);
  sums.writeUInt32LE(seen.packed, 4);
  sums.writeUInt32LE(seen.size, 8);
  const mark = Buffer.from([0x50, 0x4b, 0x07, 0x08]);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 4);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(8, 8);
  entry.writeUInt16LE(8, 10);
  sums.copy(entry, 16);
  entry.writeUInt16LE(label.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + label.length, 12);
  end.writeUInt32LE(head.length + label.length + seen.packed + mark.length + sums.length, 16);
  yield Buffer.concat([mark, sums, entry, label, end]);
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  seen: { crc: number; size: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    seen.crc = crc32(chunk, seen.crc);
    seen.size += chunk.byteLength;
    yield chunk;
  }
}
