import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterServer } from '#test/support/server/cluster-server.ts';

/** Lets each server run for `share` of the time only, by stopping it and letting it go on; returns how to end that. */
export function starve(
  servers: readonly Pick<ClusterServer, 'signal'>[],
  { share, periodMs }: Readonly<{ share: number; periodMs: number }>,
): () => Promise<void> {
  const ending = new AbortController();
  const starving = servers.map(async (server, index) => {
    await delay((periodMs / servers.length) * index);
    while (!ending.signal.aborted) {
      server.signal('SIGCONT');
      await delay(periodMs * share);
      server.signal('SIGSTOP');
      await delay(periodMs * (1 - share));
    }
    server.signal('SIGCONT');
  });
  return async () => {
    ending.abort();
    await Promise.all(starving);
  };
}
