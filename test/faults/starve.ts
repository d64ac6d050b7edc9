import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterServer } from '#test/support/server/cluster-server.ts';

type Starved = Pick<ClusterServer, 'pid' | 'signal'>;

/**
 * Lets each server run for `share` of the time only, by stopping it and letting it go on; returns how to end that. While
 * other processes have the cores its turn lasts longer, so that it gets as much however busy the machine is.
 */
export function starve(
  servers: readonly Starved[],
  { share, periodMs }: Readonly<{ share: number; periodMs: number }>,
): () => Promise<void> {
  const ending = new AbortController();
  const starving = servers.map(async (server, index) => {
    await delay((periodMs / servers.length) * index);
    while (!ending.signal.aborted) {
      const begunAt = performance.now();
      server.signal('SIGCONT');
      await turn(server, periodMs * share);
      server.signal('SIGSTOP');
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
  let waited = waitedMs(server);
  for (let left = ms; left >= 1; ) {
    await delay(left);
    const now = waitedMs(server);
    left = now - waited;
    waited = now;
  }
}

/** How long the server's main thread has waited for a core, in ms; 0 where the system does not say. */
function waitedMs(server: Starved): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${server.pid()}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
