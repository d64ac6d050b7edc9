import { setTimeout as delay } from 'node:timers/promises';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { eventsOf, post } from '#test/support/mcp/mcp-clients.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

const backWithinMs = 60_000;
/** Between two posts, and between two cuts: the servers hear each other again in between. */
const pausesMs = { posts: 50, cuts: 700 } as const;

/** The connections on which the servers hear each other are cut again and again, while a client posts for its stream. */
export const listenersCut: FaultRow = {
  subject: 'cluster',
  fault: 'the LISTEN connections cut',
  holds:
    'A message for a stream at another server is answered 202, or 503 with Retry-After, never 404, and 202 again soon after (MCP-027)',
  run,
};

type Posted = Readonly<{ status: number; retryAfter: string | null }>;

async function run({ isShort }: Extent): Promise<Measured> {
  await using cluster = await openCluster({ servers: isShort ? 2 : 3, env: { RATE_LIMITS: 'off' } });
  const person = await accessToken({ origin: cluster.origin });
  const [owner = '', ...others] = cluster.servers.map(({ origin }) => origin);
  const stream = await fetch(new URL('/sse', owner), { headers: { authorization: `Bearer ${person}` } });
  const events = eventsOf(stream);
  const path = (await events.next()).value?.data ?? '';
  const send = async (origin: string): Promise<Posted> => {
    const { status, headers, body } = await post(origin, { jsonrpc: '2.0', id: 1, method: 'ping' }, { path, person });
    await body?.cancel();
    return { status, retryAfter: headers.get('retry-after') };
  };
  const all: Posted[] = [];
  let cuts = 0;
  const ending = new AbortController();
  const cutting = repeated(ending.signal, pausesMs.cuts, async () => {
    cuts += await cutListeners(cluster);
  });
  const sending = others.map((origin) =>
    repeated(ending.signal, pausesMs.posts, async () => void all.push(await send(origin))),
  );
  await delay(isShort ? 10_000 : 20_000);
  ending.abort();
  await Promise.all([cutting, ...sending]);
  const endedAt = Date.now();
  const isBack = async () => (await Promise.all(others.map(send))).every(({ status }) => status === 202);
  let back = await isBack();
  while (!back && Date.now() - endedAt < backWithinMs) back = await isBack();
  await events.return(undefined);
  const count = (status: number) => all.filter((one) => one.status === status).length;
  const wrong = all.filter(({ status, retryAfter }) => status !== 202 && (status !== 503 || retryAfter === null));
  return {
    load: `${cuts} connections cut; 202 ×${count(202)}, 503 ×${count(503)}`,
    acknowledged: count(202),
    lost: 0,
    doubled: 0,
    recoveredAfterMs: back ? Date.now() - endedAt : null,
    problems: [
      ...(cuts > 0 && count(503) > 0 ? [] : ['Nothing was cut.']),
      ...wrong.map(({ status, retryAfter }) => `Answered ${status}, Retry-After ${retryAfter ?? 'missing'}.`),
    ],
  };
}

/** Ends the connections whose last statement marked a listening server; returns how many. */
async function cutListeners({ query }: Cluster): Promise<number> {
  const cut = await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'select pg_advisory_lock_shared%'",
  );
  return Array.isArray(cut) ? cut.length : 0;
}

async function repeated(signal: AbortSignal, pauseMs: number, task: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await task();
    await delay(pauseMs);
  }
}
