import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

/** The figures of a file that need no reading of its content; times in ms with their fraction, `size` in bytes. */
export type FileFigures = Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'size'>;

/** Picks the figures alone: what the system tells of a file is much more. */
export const figuresOf = ({ ino, mtimeMs, ctimeMs, birthtimeMs, size }: FileFigures): FileFigures => ({
  ino,
  mtimeMs,
  ctimeMs,
  birthtimeMs,
  size,
});

/** Whether the figures are those of the same file in the same state. */
export const isSame = (one: FileFigures, other: FileFigures): boolean =>
  one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size;

/** Reads the figures at once, of a file that the system has in memory; null when they cannot be read. */
export function statsNow(place: string): BigIntStats | null {
  try {
    return lstatSync(place, { bigint: true });
  } catch {
    return null;
  }
}

/** Converts exact figures to those that the index compares. */
export const figuresOfExact = (found: BigIntStats): FileFigures => ({
  ino: Number(found.ino),
  mtimeMs: inMs(found.mtimeNs),
  ctimeMs: inMs(found.ctimeNs),
  birthtimeMs: inMs(found.birthtimeNs),
  size: Number(found.size),
});

/** Milliseconds with their fraction, as the system's other figures have them. */
const inMs = (ns: bigint): number => Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6;
