import type { Bench, Row } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { trackerKey } from '#test/bench/issues.ts';
import { connectTracker, startWhole } from '#test/bench/whole.ts';

/** A list of issues of a provider as a tool of the whole server, beside a thin server that passes the answer on. */
export const bench: Bench = {
  name: 'lists',
  run: async ({ compare }) => {
    const rows: Row[] = [];
    for (const first of [10, 50]) {
      const tracker = await serveInChild({ kind: 'issues', count: first });
      const thin = await serveInChild({ kind: 'thin', tracker: tracker.url });
      const whole = await startWhole({ TRACKER_URL: tracker.url, PRIVATE_ADDRESSES: 'on' });
      await connectTracker(whole, trackerKey);
      const params = { name: 'tracker_issues_list', arguments: { first } };
      const load = {
        url: `${whole.url}/message`,
        method: 'POST' as const,
        headers: {
          ...whole.headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
        ...(whole.pid === undefined ? {} : { pid: whole.pid }),
      };
      rows.push(await compare(`a list of ${first} issues of a provider, the whole server`, load, thin));
      for (const server of [whole, thin, tracker]) await server.close();
    }
    return rows;
  },
};
