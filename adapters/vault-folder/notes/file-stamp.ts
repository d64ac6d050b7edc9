import { identityOf } from '#infrastructure/files/atomic-file.ts';

/** The longest step of the clocks by which file systems say when a file was written, in ms: that of FAT. */
const clockStepMs = 2_000;

/** Names the states of the files at these paths, each at a place on the disk; those that cannot be named are left out. */
export function stampsAt(paths: readonly string[], placeOf: (path: string) => string): ReadonlyMap<string, string> {
  const named = paths.map((path) => [path, stampAt(placeOf(path))] as const);
  return new Map(named.flatMap(([path, stamp]) => (stamp === null ? [] : [[path, stamp] as const])));
}

/**
 * Names the state that a file is in, without reading it. Null when there is none, or when it was written so recently that
 * another write may have the same time.
 */
function stampAt(place: string): string | null {
  const found = identityOf(place);
  if (found === null) return null;
  const { ino, size, mtimeNs, ctimeNs } = found;
  const settled = BigInt(Date.now() - clockStepMs) * 1_000_000n;
  return mtimeNs > settled || ctimeNs > settled ? null : [ino, size, mtimeNs, ctimeNs].join('.');
}
