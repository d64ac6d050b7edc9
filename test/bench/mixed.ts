import autocannon from 'autocannon';
import type { Figure } from '#test/bench/bench.ts';
import { patchedNotes, type Whole } from '#test/bench/whole.ts';

/** How much of what the server can do is asked of it. */
const share = 0.7;
/** How many times the median the slowest of a hundred may take. */
const mostTimes = 10;
const shape = { connections: 32, seconds: Number(process.env['BENCH_SECONDS'] ?? 3) * 3 } as const;

const rpc = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const call = (name: string, args: object): string => rpc('tools/call', { name, arguments: args });

/** A working day of an assistant, in small: it reads most of the time, lists its tools, searches, and changes a note. */
const mixture = [
  rpc('ping', {}),
  rpc('tools/list', {}),
  ...[1, 2, 3, 4].map((note) => call('vault_note_read', { path: `Deals/${note}.md` })),
  call('vault_search', { query: 'two lines' }),
  call('vault_note_list', { folder: 'Deals' }),
];

/** A mixed load at 70 % of what the whole server can do of it; p99 stands beside ten times the median. */
export async function measureMixed({ url, headers }: Whole): Promise<readonly Figure[]> {
  await shoot(url, headers, null);
  const { perSecond } = await shoot(url, headers, null);
  const { p50, p99 } = await shoot(url, headers, Math.max(1, Math.floor(perSecond * share)));
  return [
    { figure: 'mixed load, at most', unit: 'a second', value: perSecond, baseline: null },
    { figure: 'mixed load at 70 %, median', unit: 'ms', value: p50, baseline: null },
    { figure: 'mixed load at 70 %, slowest of a hundred', unit: 'ms', value: p99, baseline: p50 * mostTimes },
  ];
}

async function shoot(url: string, headers: Whole['headers'], perSecond: number | null) {
  let sent = 0;
  const patch = (request: autocannon.Request): autocannon.Request => {
    sent += 1;
    const path = `Deals/${sent % patchedNotes}.md`;
    const body = call('vault_note_patch', { path, target: 'value', target_type: 'frontmatter', content: sent });
    return { ...request, body };
  };
  const result = await autocannon({
    url: `${url}/message`,
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    requests: [...mixture.map((body) => ({ method: 'POST' as const, body })), { method: 'POST', setupRequest: patch }],
    connections: shape.connections,
    duration: shape.seconds,
    ...(perSecond === null ? {} : { overallRate: perSecond }),
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}
