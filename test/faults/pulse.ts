import { setTimeout as delay } from 'node:timers/promises';

/** What an address answered at a moment; status 0 is no answer within the time given. */
export type Beat = Readonly<{ at: number; status: number; tookMs: number }>;

/** An address that is asked again and again, whatever else happens. */
export type Pulse = Readonly<{
  beats: readonly Beat[];
  /** Ends the asking; all answers. */
  stop(): Promise<readonly Beat[]>;
}>;

const everyMs = 25;
const maxWaitMs = 30_000;

/** Asks the address, waits a moment after each answer, and asks again. */
export function startPulse(url: string): Pulse {
  const beats: Beat[] = [];
  const stopping = new AbortController();
  const beating = (async () => {
    while (!stopping.signal.aborted) {
      beats.push(await beat(url));
      await delay(everyMs);
    }
  })();
  return {
    beats,
    stop: async () => {
      stopping.abort();
      await beating;
      return beats;
    },
  };
}

/** Asks once. */
export async function beat(url: string): Promise<Beat> {
  const at = Date.now();
  const begunAt = performance.now();
  const status = await fetch(url, { signal: AbortSignal.timeout(maxWaitMs) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { at, status, tookMs: performance.now() - begunAt };
}

/** The longest that an answer took, ms. */
export function longest(beats: readonly Beat[]): number {
  return Math.max(0, ...beats.map(({ tookMs }) => tookMs));
}
