import { z } from 'zod';

/** One notification between servers: `n` counts those of the server `from`, so that a repeated or a lost one is noticed. */
const frameSchema = z.object({
  v: z.literal(1),
  from: z.string().min(1).max(64),
  n: z.number().int().positive(),
  /** The texts in order; a number stands for the row that has one which is too long. */
  texts: z.array(z.union([z.string(), z.number().int()])),
});

/** A frame as it is sent. */
export type MessageFrame = z.output<typeof frameSchema>;

/** The longest notification in bytes: PostgreSQL takes 8,000, its end included. */
const maxFrameBytes = 7_900;

/** The room that a frame's other members take, in bytes, at most. */
const headBytes = 200;

/** Reads a notification; null for one that is none of these frames. */
export function readFrame(payload: string): MessageFrame | null {
  try {
    return frameSchema.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}

/** The bytes that a text takes in a frame. */
export const bytesInFrame = (text: string | number): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Whether a text is too long for any frame. */
export const needsRow = (text: string): boolean =>
  text.length > maxFrameBytes || bytesInFrame(text) + headBytes > maxFrameBytes;

/** The number of texts, from the first, that fit into one frame; at least 1. */
export function fitting(texts: readonly (string | number)[]): number {
  let bytes = headBytes;
  const over = texts.findIndex((text) => {
    bytes += bytesInFrame(text);
    return bytes > maxFrameBytes;
  });
  return over === -1 ? texts.length : Math.max(over, 1);
}

/** What a frame says of the ones before it: that it is the next, that it has been heard already, or that some are missing. */
export type Sequence = 'next' | 'repeated' | 'after a gap';

/** Follows the numbers of the frames of each server; the server unheard for the longest is forgotten. */
export class FrameNumbers {
  readonly #last = new Map<string, number>();
  readonly #max: number;

  constructor(max = 1_000) {
    this.#max = max;
  }

  /** Notes a frame. The first of a server is the next, whatever its number: it may have begun before this one. */
  note({ from, n }: Pick<MessageFrame, 'from' | 'n'>): Sequence {
    const last = this.#last.get(from);
    if (last !== undefined && n <= last) return 'repeated';
    this.#last.delete(from);
    this.#last.set(from, n);
    if (this.#last.size > this.#max) this.#last.delete(this.#last.keys().next().value ?? '');
    return last === undefined || n === last + 1 ? 'next' : 'after a gap';
  }

  /** Forgets all numbers, after a time without hearing. */
  clear(): void {
    this.#last.clear();
  }
}
