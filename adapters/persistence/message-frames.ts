import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * One notification between servers. `n` numbers the frames of the server `from`, so that duplicates and losses are
 * detected.
 */
const frameSchema = z.object({
  v: z.literal(1),
  from: z.string().min(1).max(64),
  n: z.number().int().positive(),
  /** The texts in order; a number is the id of a row that holds a text too long for a frame. */
  texts: z.array(z.union([z.string(), z.number().int()])),
});

/** A frame as it is sent. */
export type MessageFrame = z.output<typeof frameSchema>;

/** The maximum length of a notification, in bytes: PostgreSQL allows fewer than 8,000. */
const maxFrameBytes = 7_900;

/** The maximum size of a frame's other members, in bytes. */
const headBytes = 200;

/** Parses a notification; null when it is not such a frame. */
export function readFrame(payload: string): MessageFrame | null {
  try {
    return frameSchema.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}

/** The size of a text in a frame, in bytes. */
export const bytesInFrame = (text: string | number): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Whether a text is too long for any frame. */
export const needsRow = (text: string): boolean =>
  text.length > maxFrameBytes || bytesInFrame(text) + headBytes > maxFrameBytes;

/** How many of the texts, from the first, fit into one frame; at least 1. */
export function fitting(texts: readonly (string | number)[]): number {
  let bytes = headBytes;
  const over = texts.findIndex((text) => {
    bytes += bytesInFrame(text);
    return bytes > maxFrameBytes;
  });
  return over === -1 ? texts.length : Math.max(over, 1);
}

/** How a frame relates to the earlier ones of its server: the next one, a duplicate, or after a gap. */
export type Sequence = 'next' | 'repeated' | 'after a gap';

type Last = Readonly<{ n: number; digest: string }>;

/**
 * Tracks the last frame of each server; evicts the server not heard of for the longest time. Anybody who may notify can
 * send a frame in a server’s name, so numbers alone make no frame a duplicate.
 */
export class FrameNumbers {
  readonly #last = new Map<string, Last>();
  readonly #max: number;

  constructor(max = 1_000) {
    this.#max = max;
  }

  /**
   * Records a frame. The first one of a server counts as next, whatever its number, since that server may have started
   * earlier. One that its server sent twice is the last one unchanged; any other number says that something is missing.
   */
  note({ from, n, texts }: Pick<MessageFrame, 'from' | 'n' | 'texts'>): Sequence {
    const last = this.#last.get(from);
    const digest = createHash('sha256').update(JSON.stringify(texts)).digest('base64');
    if (last?.n === n && last.digest === digest) return 'repeated';
    this.#last.delete(from);
    this.#last.set(from, { n, digest });
    if (this.#last.size > this.#max) this.#last.delete(this.#last.keys().next().value ?? '');
    return last === undefined || n === last.n + 1 ? 'next' : 'after a gap';
  }

  /** Forgets all frames, after a period without a connection. */
  clear(): void {
    this.#last.clear();
  }
}
