import { setTimeout as delay } from 'node:timers/promises';

/** Assistants that call a tool, and one that listens to a stream, while something happens to the servers. */
export type Callers = Readonly<{
  /** Ends them; what came of their calls. `failed` are calls that failed twice in a row. */
  stop(): Promise<Readonly<{ calls: number; repeated: number; streams: number; failed: readonly string[] }>>;
}>;

const pauseMs = 20;
const maxWaitMs = 30_000;

/** Starts `count` callers of a tool, each with one call after the other, and a listener that opens its stream again when it ends. */
export function startCallers(baseUrl: string, token: string, count: number): Callers {
  const ending = new AbortController();
  const failed: string[] = [];
  let [calls, repeated, streams] = [0, 0, 0];
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };

  const call = async (id: number): Promise<string | null> => {
    const params = { name: 'vault_vault_list', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    return fetch(`${baseUrl}/message`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(maxWaitMs),
    }).then(
      async (answer) => {
        const text = await answer.text();
        return answer.ok && text.includes('"result"') && !text.includes('"isError":true')
          ? null
          : `${answer.status} ${text.slice(0, 200)}`;
      },
      (error: unknown) => String(error),
    );
  };
  const caller = async () => {
    while (!ending.signal.aborted) {
      calls += 1;
      if ((await call(calls)) !== null) {
        repeated += 1;
        const again = await call(calls);
        if (again !== null) failed.push(again);
      }
      await delay(pauseMs);
    }
  };
  const listener = async () => {
    while (!ending.signal.aborted) {
      const stream = await fetch(`${baseUrl}/sse`, { headers, signal: ending.signal }).catch(() => null);
      if (stream?.status === 200) streams += 1;
      else if (stream !== null) failed.push(`/sse was answered ${stream.status}`);
      // Read to its end, which comes when its server stops.
      await stream?.text().catch(() => null);
      await delay(pauseMs);
    }
  };
  const all = Promise.all([...Array.from({ length: count }, caller), listener()]);
  return {
    stop: async () => {
      ending.abort();
      await all;
      return { calls, repeated, streams, failed };
    },
  };
}
