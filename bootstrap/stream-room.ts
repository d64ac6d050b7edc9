import { readFileSync } from 'node:fs';

/** How many streams and connections a server may have open; `openFiles` is why these are fewer than asked for, else null. */
export type StreamRoom = Readonly<{ streams: number; connections: number; openFiles: number | null }>;

/** The connections beside the streams: of requests, and of their answers. */
const besideStreams = 2_000;
/** The files that a server needs itself: its database, its notes, and its connections to others. */
const ownFiles = 400;
const leastStreams = 16;

/**
 * Returns the room for streams, at most `wanted`: each is an open file, and a server without one more can neither take
 * a request nor read a note. `openFiles` is the limit of the process, null when it is unknown.
 */
export function streamRoom(wanted: number, openFiles: number | null = openFileLimit()): StreamRoom {
  if (openFiles === null || openFiles >= wanted + besideStreams + ownFiles)
    return { streams: wanted, connections: wanted + besideStreams, openFiles: null };
  const connections = Math.max(2 * leastStreams, openFiles - ownFiles);
  const streams = Math.min(wanted, Math.max(leastStreams, connections - Math.min(besideStreams, connections >> 1)));
  return { streams, connections, openFiles };
}

/** The limit of open files of this process (`ulimit -n`); null where the system does not report it, or has none. */
export function openFileLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
