import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Beat, longest } from '#test/faults/pulse.ts';

const beatSchema = z.object({ at: z.number(), status: z.number(), tookMs: z.number() });

/** Asks a server's `/healthz` again and again, from a process of its own. */
export function startBeats(baseUrl: string) {
  const child = fork(fileURLToPath(new URL('growth/pulse-child.ts', import.meta.url)), [`${baseUrl}/healthz`]);
  const beats: Beat[] = [];
  child.on('message', (message) => beats.push(beatSchema.parse(message)));
  return {
    /** Ends the asking; the longest that an answer took, in ms. Throws when one was not 200. */
    longestMs: async (): Promise<number> => {
      await delay(200);
      child.disconnect();
      const other = beats.find(({ status }) => status !== 200);
      if (other !== undefined) throw new Error(`/healthz answered ${other.status} after ${other.tookMs} ms`);
      return longest(beats);
    },
  };
}
