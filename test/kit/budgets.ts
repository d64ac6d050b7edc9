import { holds } from '#test/kit/checks.ts';
import type { CloudKey } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';

/** The number of requests of some calls that arrived at a service, and the ms from before the first to after the last. */
type Spent = Readonly<{ requests: number; ms: number }>;

/** How many calls are made at once. */
const atOnce = 25;

/**
 * What arrives at a service while so many calls are made, some at once, until no more come. Calls that wait for their budget then are left
 * alone.
 */
export async function spending(
  kit: Kit,
  service: CloudKey,
  { method = 'GET', path, body, calls }: Readonly<{ method?: string; path: string; body?: unknown; calls: number }>,
): Promise<Spent> {
  const { received } = kit.emulator(service);
  const before = received.length;
  const startedAt = performance.now();
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await kit.api(method, path, body);
    }
  };
  const all = Promise.allSettled(Array.from({ length: Math.min(atOnce, calls) }, work));
  await Promise.race([all, kit.quiet(service)]);
  left = 0;
  const arrived = received.slice(before).filter((request) => !request.path.startsWith('/oauth/'));
  return { requests: arrived.length, ms: (arrived.at(-1)?.at ?? startedAt) - startedAt };
}

/**
 * Demands that no more arrives than a budget has, with what is given back meanwhile. It asks again where more did: a budget by the minute may begin again
 * in between, once.
 */
export async function within(spend: () => Promise<Spent>, points: number, windowMs: number): Promise<void> {
  const most = ({ ms }: Spent): number => points + Math.ceil((ms / windowMs) * points) + 1;
  const first = await spend();
  holds(first.requests >= Math.min(10, points / 2), 'requests', first.requests);
  const last = first.requests <= most(first) ? first : await spend();
  const { requests, ms } = last;
  const allowed = most(last);
  holds(requests <= allowed, `at most ${allowed} requests`, `${requests} in ${Math.round(ms)} ms`);
}
