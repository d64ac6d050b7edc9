import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hostileNotes } from '#test/faults/hostile-notes.ts';
import { longest, startPulse } from '#test/faults/pulse.ts';
import { type Extent, type FaultRow, type Measured, newTally } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';

const baselineMs = 2_000;
const answerWithinMs = 30_000;
const heldMs = 200;
/** A short run shares the machine with other tests, and requires only that the server was not held for good; `test/http/vault/event-loop.test.ts` counts by processor time. */
const shortHeldMs = 30_000;

/** Notes, searches and patterns that somebody wrote to keep the server busy. */
export const notes: readonly FaultRow[] = [
  {
    subject: 'notes',
    fault: 'texts that are slow to read, read and changed in each way',
    holds: '/healthz answers meanwhile as quickly as ever, and every request gets an answer that is no 5xx.',
    run: hostile,
  },
];

type Ask = Readonly<{ what: string; method: string; path: string; headers?: Record<string, string>; body?: string }>;

async function hostile({ isShort }: Extent): Promise<Measured> {
  await using stand = await openStand({ isConnected: false });
  const folder = join(stand.dataDir, 'vault', 'Hostile');
  await mkdir(folder, { recursive: true });
  const sizes = isShort ? [12_000] : [12_000, 900_000];
  const written = sizes.flatMap((size) =>
    hostileNotes(size).map((note) => ({ ...note, file: `${note.name} ${size}` })),
  );
  await Promise.all(written.map(({ file, text }) => writeFile(join(folder, `${file}.md`), text)));
  const asks = [...written.flatMap(({ file }) => asksOf(`Hostile/${file}.md`)), ...searches];

  const health = startPulse(`${stand.baseUrl}/healthz`);
  // How quick it is before is compared with in full runs only.
  if (!isShort) await delay(baselineMs);
  const usualMs = longest(health.beats);
  const problems: string[] = [];
  for (const ask of asks) {
    const from = health.beats.length;
    const status = await answered(stand, ask);
    const beats = health.beats.slice(from);
    if (status === 0 || status >= 500) problems.push(`${ask.what} was answered ${status || 'nothing'}.`);
    const allowed = isShort ? shortHeldMs : heldMs + usualMs;
    if (longest(beats) > allowed) problems.push(`${ask.what} held the server for ${Math.round(longest(beats))} ms.`);
  }
  const beats = await health.stop();
  if (beats.some(({ status }) => status !== 200)) problems.push('/healthz did not always answer 200.');
  return {
    load: `${asks.length} requests; /healthz took ${Math.round(longest(beats))} ms at most, ${Math.round(usualMs)} ms before`,
    acknowledged: newTally().acknowledged.length,
    lost: 0,
    doubled: 0,
    recoveredAfterMs: null,
    problems,
  };
}

/** Every way in which a text is taken apart. */
function asksOf(path: string): readonly Ask[] {
  const address = `/api/vault/vault/${path.split('/').map(encodeURIComponent).join('/')}`;
  const call = (name: string, input: Readonly<Record<string, unknown>>) =>
    tool(`${name} of ${path}`, name, { path, ...input });
  return [
    { what: `${path} as a document map`, method: 'GET', path: `${address}?format=document_map` },
    { what: `${path} as JSON`, method: 'GET', path: `${address}?format=note` },
    call('vault_note_patch', { target: 'None such', content: 'text' }),
    call('vault_tags_list', {}),
    call('vault_frontmatter_get', {}),
  ];
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : { '!': [nested(depth - 1)] });
const doubling = (depth: number): unknown =>
  depth === 0 ? [1, 2] : { merge: [doubling(depth - 1), doubling(depth - 1)] };

/** Searches that grow while they are carried out. */
const searches: readonly Ask[] = [
  tool('a JsonLogic merge that doubles', 'vault_search_advanced', { query: doubling(12) }),
  tool('deep JsonLogic', 'vault_search_advanced', { query: nested(500) }),
  tool('a pattern that backtracks', 'vault_search_advanced', { query: { regexp: ['(a+)+$', { var: 'content' }] } }),
  tool('a glob that backtracks', 'vault_search_advanced', { query: { glob: ['*a'.repeat(30), { var: 'path' }] } }),
  tool('a long search', 'vault_search', { query: 'a '.repeat(2_000) }),
];

function tool(what: string, name: string, given: Readonly<Record<string, unknown>>): Ask {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { what, method: 'POST', path: '/message', headers, body: JSON.stringify(call) };
}

/** The status of the answer; a failure of the server inside an answer of JSON-RPC counts as 500, no answer as 0. */
async function answered(stand: Stand, { method, path, headers = {}, body }: Ask): Promise<number> {
  const response = await fetch(`${stand.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${stand.token}`, accept: 'application/json', ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => null);
  const text = (await response?.text().catch(() => null)) ?? null;
  if (response === null || text === null) return 0;
  return text.includes('-32603') ? 500 : response.status;
}
