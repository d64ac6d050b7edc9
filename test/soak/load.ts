import { setTimeout as delay } from 'node:timers/promises';
import { marked } from '#test/faults/deliveries.ts';
import { sendAll } from '#test/faults/load.ts';
import type { Stand } from '#test/faults/stand.ts';
import { hostileRequests } from '#test/soak/hostile.ts';
import { beStranger } from '#test/soak/strangers.ts';

/** What a load has done so far, and how often it was not answered as it should be. */
export type Done = Record<
  'tools' | 'deliveries' | 'streams' | 'pages' | 'strangers' | 'hostile' | 'failures',
  number
> & {
  reasons: Map<string, number>;
};

const pages = ['/floki/index', '/page', '/deliveries', '/openapi.json', '/healthz', '/readyz'];
const kinds = ['deal', 'document', 'issue', 'organization'] as const;
const toolCalls = [
  ['vault_note_write', (turn: number) => ({ path: `Soak/${turn % 50}.md`, content: `# ${turn}\n`, mode: 'overwrite' })],
  ['vault_note_read', (turn: number) => ({ path: `Soak/${(turn - 1) % 50}.md` })],
  ['vault_search', () => ({ query: 'History' })],
  ['vault_search_advanced', () => ({ query: { glob: ['Soak/*', { var: 'path' }] } })],
  ['sales_crm_deals_list', () => ({ limit: 5 })],
  ['tracker_issues_list', () => ({})],
  ['suite_record_list', () => ({ module: 'Leads' })],
] as const;

/** What may be added to the usual load: sign-ups by nobody, and generated requests. */
export type Extra = 'strangers' | 'fuzz';

/** Puts a moderate load of each kind on a server until `signal` ends it; what was done is counted in `done`. */
export async function keepBusy(
  stand: Stand,
  { done, extras, signal }: Readonly<{ done: Done; extras: readonly Extra[]; signal: AbortSignal }>,
): Promise<void> {
  const hostile = extras.includes('fuzz') ? await hostileRequests(stand) : null;
  const repeat = async (everyMs: number, act: (turn: number) => Promise<void>) => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await act(turn).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        done.failures += 1;
        done.reasons.set(reason, (done.reasons.get(reason) ?? 0) + 1);
      });
      await delay(everyMs);
    }
  };
  await Promise.all([
    repeat(50, async (turn) => {
      await useTool(stand, turn);
      done.tools += 1;
    }),
    repeat(100, async (turn) => {
      await sendAll(stand, [marked(kinds[turn % kinds.length] ?? 'deal', String(turn % 400))]);
      done.deliveries += 1;
    }),
    repeat(500, async () => {
      await openAndLeave(stand);
      done.streams += 1;
    }),
    repeat(100, async (turn) => {
      await visit(stand, pages[turn % pages.length] ?? '/');
      done.pages += 1;
    }),
    ...(extras.includes('strangers')
      ? [
          repeat(100, async (turn) => {
            await beStranger(stand, turn);
            done.strangers += 1;
          }),
        ]
      : []),
    ...(hostile === null
      ? []
      : [
          repeat(20, async () => {
            await hostile.next();
            done.hostile += 1;
          }),
        ]),
  ]);
}

async function useTool({ baseUrl, token }: Stand, turn: number): Promise<void> {
  const [name, inputOf] = toolCalls[turn % toolCalls.length] ?? toolCalls[0];
  const params = { name, arguments: inputOf(turn) };
  const response = await fetch(`${baseUrl}/message`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: turn, method: 'tools/call', params }),
  });
  const text = await response.text();
  if (!response.ok || (text.includes('"isError":true') && !text.includes('rate_limited')))
    throw new Error(`${name}: ${response.status} ${text.slice(0, 200)}`);
}

/** Opens a stream of the older transport, reads its first event and goes away, as clients do that are closed. */
async function openAndLeave({ baseUrl, token }: Stand): Promise<void> {
  const leaving = new AbortController();
  const response = await fetch(`${baseUrl}/sse`, {
    headers: { ...bearer(token), accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
}

async function visit(stand: Stand, path: string): Promise<void> {
  const response = await stand.person.fetch(path, { headers: { accept: 'text/html' } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
