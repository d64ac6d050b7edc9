import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import type { Stand } from '#test/faults/stand.ts';
import { programs } from '#test/fuzz/programs.ts';
import { deliveries, mcpRequests, restRequests, toolList, toolRequests } from '#test/fuzz/requests.ts';

/** Requests as those of `npm run fuzz`, with an app's token; `next` sends one, and throws when the server answers with a fault. */
export async function hostileRequests({ baseUrl, token }: Stand): Promise<Readonly<{ next(): Promise<void> }>> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const listed: unknown = await (await fetch(`${baseUrl}/message`, { method: 'POST', headers, body })).json();
  const requests = fc.oneof(
    { arbitrary: restRequests(await (await fetch(`${baseUrl}/openapi.json`, { headers })).json()), weight: 4 },
    { arbitrary: toolRequests(toolList.parse(Object(Object(listed).result).tools)), weight: 4 },
    { arbitrary: programs, weight: 1 },
    { arbitrary: mcpRequests, weight: 2 },
    { arbitrary: deliveries, weight: 2 },
  );
  return {
    next: async () => {
      const [request] = fc.sample(requests, { seed: randomInt(1_000_000_000), numRuns: 1 });
      if (request === undefined) return;
      const { kind, method, path, headers: own, body: sent } = request;
      const proof = kind === 'delivery' ? {} : { authorization: headers.authorization };
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...proof, ...own },
        body: sent,
        redirect: 'manual',
        signal: AbortSignal.timeout(90_000),
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (isStream) await response.body?.cancel();
      else await response.arrayBuffer();
      // A service's own failure is 502, and a server that has too much to do says 503.
      if (response.status === 500) throw new Error(`A generated ${kind}: 500`);
    },
  };
}
