import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

/** The stat fields that identify a version of a file; times in ms with their fraction, `size` in bytes. */
export type FileFigures = Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'size'>;

/** Picks only these fields: a whole `Stats` object takes much more memory. */
export const figuresOf = ({ ino, mtimeMs, ctimeMs, birthtimeMs, size }: FileFigures): FileFigures => ({
  ino,
  mtimeMs,
  ctimeMs,
  birthtimeMs,
  size,
});

/** Whether both describe the same file in the same state. */
export const isSame = (one: FileFigures, other: FileFigures): boolean =>
  one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size;

/** Stats a file synchronously, which is quick when the file system has it cached; null when that fails. */
export function statsNow(place: string): BigIntStats | null {
  try {
    return lstatSync(place, { bigint: true });
  } catch {
    return null;
  }
}

/** Converts a `BigIntStats` to the fields that the index compares. */
export const figuresOfExact = (found: BigIntStats): FileFigures => ({
  ino: Number(found.ino),
  mtimeMs: inMs(found.mtimeNs),
  ctimeMs: inMs(found.ctimeNs),
  birthtimeMs: inMs(found.birthtimeNs),
  size: Number(found.size),
});

/** Converts nanoseconds to ms with their fraction, as `Stats` has them. */
const inMs = (ns: bigint): number => Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6;
