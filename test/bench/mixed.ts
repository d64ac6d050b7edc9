import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startBeats } from '#test/bench/beats.ts';
import type { Grid } from '#test/bench/bench.ts';
import { emailOf, peopleOf, tokensOf } from '#test/bench/people.ts';
import { percentile } from '#test/bench/percentile.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import { patchedNotes, startWhole, type Whole } from '#test/bench/whole.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { newIssueRequest, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** How much of what the server can do is asked of it, and how many times the median the slowest of a hundred may take. */
const [share, mostTimes] = [0.7, 10];
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const people = 100;
/** How many requests are under way at once while it is found out what the server can do. */
const lines = 32;
const agent = new Agent({ keepAlive: true, maxSockets: 1_024 });

type Headers = Readonly<Record<string, string>>;

/** One kind of request of the mixture: of a hundred requests so many are of it. */
type Kind = Readonly<{ name: string; weight: number; send(): Promise<void> }>;

type Took = Map<string, number[]>;

/** When the note that streams watch was changed last, and after how many ms each of them has heard of it. */
type Change = { at: number; heardAfter: number[] };

/**
 * A mixed load, whose requests arrive by chance at 70 % of the rate that the server can do of it, whether those before are answered or
 * not: calls, deliveries, changes on streams, pages, sign-ins. The median and the slowest of a hundred of each kind.
 */
export async function measureMixed(): Promise<Grid> {
  const whole = await startWhole({ TRACKER_WEBHOOK_SECRET: trackerSecret });
  try {
    peopleOf(whole.dataDir, people);
    const change: Change = { at: 0, heardAfter: [] };
    await listenToNote(whole, change);
    const mixture = await mixtureOf(whole, change);
    await closedLoop(mixture, seconds * 3_000);
    const most = await closedLoop(mixture, seconds * 3_000);
    change.heardAfter = [];
    const beats = startBeats(whole.url);
    const used = processorTime(whole.pid);
    const { took, late } = await openLoop(mixture, most * share, seconds * 10_000);
    const busy = (used() ?? 0) / (seconds * 10_000);
    const healthMs = await beats.longestMs();
    const head = ['of the mixture', 'a second', 'p50', 'p99', 'p99 ÷ p50', 'aim'];
    const all = [...took.values()].flat();
    const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
    const line = (name: string, times: readonly number[]): readonly string[] => {
      const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
      const rate = times.length / (seconds * 10);
      return [name, rate.toFixed(rate < 10 ? 1 : 0), ms(p50), ms(p99), (p99 / p50).toFixed(1), `≤ ${mostTimes}`];
    };
    return {
      head,
      lines: [
        ...mixture.map(({ name }) => line(name, took.get(name) ?? [])),
        line('a change of a note, until a stream has it', change.heardAfter),
        [...line('all requests', all).slice(0, -1), '–'],
        ['how late requests are sent', '–', ms(percentile(late, 0.5)), ms(percentile(late, 0.99)), '–', '–'],
        ['the longest wait of /healthz', '–', '–', ms(healthMs), '–', '–'],
        ['what the server can do, closed loop', most.toFixed(0), '–', '–', '–', '–'],
        ['cores that the server uses', busy.toFixed(2), '–', '–', '–', '–'],
      ],
    };
  } finally {
    agent.destroy();
    await whole.close();
  }
}

const rpc = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const call = (name: string, args: object): string => rpc('tools/call', { name, arguments: args });

async function mixtureOf({ url, headers: signedIn, password }: Whole, change: Change): Promise<readonly Kind[]> {
  const json = {
    ...signedIn,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const post = (body: string) => ask(`${url}/message`, json, body);
  const [cookie, login] = await browserOf(url, password);
  let [sent, patched] = [0, 0];
  const patch = (): Promise<void> => {
    patched += 1;
    const path = `Deals/${patched % patchedNotes}.md`;
    if (patched % patchedNotes === 0) change.at = performance.now();
    return post(
      call('vault_note_patch', { path, target: 'value', target_type: 'frontmatter', content: `${performance.now()}` }),
    );
  };
  const read = (): Promise<void> => {
    sent += 1;
    return post(call('vault_note_read', { path: `Deals/${sent % 8}.md` }));
  };
  const page = (path: string) => () => ask(`${url}${path}`, { cookie, accept: 'text/html' });
  return [
    {
      name: 'vault_note_read',
      weight: 40,
      send: read,
    },
    { name: 'ping', weight: 10, send: () => post(rpc('ping', {})) },
    { name: 'tools/list', weight: 5, send: () => post(rpc('tools/list', {})) },
    { name: 'vault_note_list', weight: 10, send: () => post(call('vault_note_list', { folder: 'Deals' })) },
    { name: 'vault_search', weight: 5, send: () => post(call('vault_search', { query: 'two lines' })) },
    { name: 'vault_note_patch', weight: 12, send: patch },
    { name: 'a delivery, until it is durable', weight: 10, send: () => deliver(url) },
    { name: 'the page /floki/index', weight: 4, send: page('/floki/index') },
    { name: 'the page /page', weight: 3, send: page('/page') },
    { name: 'a password at /login', weight: 1, send: login },
  ];
}

/** The cookie of a signed-in browser, and what signs another one in. */
async function browserOf(origin: string, password: string) {
  const browser = new PlainBrowser({ origin });
  const page = await (await browser.get('/login')).text();
  const form = (id: number) => ({ ...hiddenFields(page), email: emailOf(id), password });
  const cookies = (): string => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const anonymous = cookies();
  await browser.post('/login', form(2));
  let id = 2;
  const headers = { cookie: anonymous, origin, 'content-type': 'application/x-www-form-urlencoded' };
  const login = (): Promise<void> => {
    id = 2 + ((id - 1) % (people - 1));
    return ask(`${origin}/login`, headers, new URLSearchParams(form(id)).toString());
  };
  return [cookies(), login] as const;
}

function deliver(url: string): Promise<void> {
  const { headers, body } = newIssueRequest('ENG', 'Fix login');
  return ask(`${url}/webhooks/tracker`, headers, body);
}

/** Sends a request, and reads its answer to the end; fails for one that is neither a success nor a redirect. */
function ask(url: string, headers: Headers, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const { statusCode = 0 } = response;
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (statusCode < 400) resolve();
        else reject(new Error(`${url} is answered ${statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Opens a stream for each of some people that watches the first note. */
async function listenToNote({ url, dataDir }: Whole, change: Change): Promise<void> {
  const ids = Array.from({ length: people }, (_, index) => index + 1);
  const body = rpc('subscriptions/listen', {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
    notifications: { resourceSubscriptions: ['vault://Deals/0.md'] },
  });
  const open = (token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      };
      const sent = request(`${url}/message`, { method: 'POST', agent: false, headers }, (response) => {
        response.on('data', (chunk) => {
          resolve();
          if (String(chunk).includes('resources/updated')) change.heardAfter.push(performance.now() - change.at);
        });
        response.on('error', () => undefined);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  await Promise.all((await tokensOf(dataDir, ids)).map(open));
}

/** Numbers from 0 to 1 by chance, the same in each run (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick(mixture: readonly Kind[], chance: number): Kind {
  let left = chance * mixture.reduce((sum, { weight }) => sum + weight, 0);
  for (const kind of mixture) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  throw new Error('There is nothing in the mixture');
}

/** Sends a request after the answer to the one before, on several lines; how many a second the server does. */
async function closedLoop(mixture: readonly Kind[], ms: number): Promise<number> {
  const chance = chances(1);
  const endsAt = performance.now() + ms;
  let done = 0;
  const line = async (): Promise<void> => {
    for (; performance.now() < endsAt; done += 1) await pick(mixture, chance()).send();
  };
  await Promise.all(Array.from({ length: lines }, line));
  return (done * 1_000) / ms;
}

/** Sends requests when they are due (an exponential time between them), and does not wait for answers; how long they took, and how late they were. */
async function openLoop(mixture: readonly Kind[], perSecond: number, ms: number) {
  const chance = chances(2);
  const took: Took = new Map();
  const late: number[] = [];
  const underWay: Promise<void>[] = [];
  const one = async ({ name, send }: Kind): Promise<void> => {
    const begunAt = performance.now();
    await send();
    const times = took.get(name) ?? [];
    took.set(name, times);
    times.push(performance.now() - begunAt);
  };
  const begunAt = performance.now();
  for (let dueAt = 0; dueAt < ms; dueAt += nextAfter(chance(), perSecond)) {
    const waitMs = begunAt + dueAt - performance.now();
    if (waitMs > 0.5) await delay(waitMs);
    late.push(performance.now() - begunAt - dueAt);
    underWay.push(one(pick(mixture, chance())));
  }
  await Promise.all(underWay);
  return { took, late };
}

/** How long after an arrival the next one is, in ms, when they come by chance at this rate. */
const nextAfter = (chance: number, perSecond: number): number => (-Math.log(1 - chance) * 1_000) / perSecond;
