import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterServer } from '#test/support/server/cluster-server.ts';

type Starved = Pick<ClusterServer, 'pid' | 'signal'>;

/**
 * Lets each server run for `share` of the time only, by stopping it and letting it go on; returns how to end that. It gets
 * as much however busy the machine is: its turn lasts longer while other processes have the cores, and what it got too
 * much, since it was stopped late, is taken from its next turns.
 */
export function starve(
  servers: readonly Starved[],
  { share, periodMs }: Readonly<{ share: number; periodMs: number }>,
): () => Promise<void> {
  const ending = new AbortController();
  const starving = servers.map(async (server, index) => {
    await delay((periodMs / servers.length) * index);
    let tooMuchMs = 0;
    while (!ending.signal.aborted) {
      const begunAt = performance.now();
      const turnMs = periodMs * share - tooMuchMs;
      const before = usedBy(server);
      if (turnMs >= 1) {
        server.signal('SIGCONT');
        await turn(server, turnMs);
      }
      server.signal('SIGSTOP');
      tooMuchMs = Math.max(0, usedBy(server).ranMs - before.ranMs - turnMs);
      await delay(Math.max(0, begunAt + periodMs - performance.now()));
    }
    server.signal('SIGCONT');
  });
  return async () => {
    ending.abort();
    await Promise.all(starving);
  };
}

/** Resolves when the server has run, or had nothing to do, for so long. */
async function turn(server: Starved, ms: number): Promise<void> {
  let before = usedBy(server);
  for (let left = ms; left >= 1; ) {
    await delay(left);
    const now = usedBy(server);
    left = now.waitedMs - before.waitedMs;
    before = now;
  }
}

/** How long the server's main thread has run, and has waited for a core, in ms; 0 where the system does not say. */
function usedBy(server: Starved): Readonly<{ ranMs: number; waitedMs: number }> {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/${server.pid()}/schedstat`, 'utf8').split(' ');
    return { ranMs: Number(ranNs) / 1e6, waitedMs: Number(waitedNs) / 1e6 };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}
