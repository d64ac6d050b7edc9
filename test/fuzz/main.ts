import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { openStand } from '#test/faults/stand.ts';
import { type Answered, faultIn } from '#test/fuzz/judge.ts';
import { openMessageStand } from '#test/fuzz/message-stand.ts';
import { programs } from '#test/fuzz/programs.ts';
import { reactionNotes } from '#test/fuzz/reaction-notes.ts';
import {
  deliveries,
  type FuzzRequest,
  mcpRequests,
  ownRequests,
  restRequests,
  toolList,
  toolRequests,
} from '#test/fuzz/requests.ts';
import { serverMessages } from '#test/fuzz/server-messages.ts';
import { type MadeTexts, sessionRequests } from '#test/fuzz/session-requests.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { callback, codeFor, registered } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { durationMs } from '#test/support/measures/duration.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';

/*
 * `npm run fuzz -- 5m [--seed N] [--only N]`: sends generated requests to a real server with emulated services, and messages between
 * servers to one on PostgreSQL, and prints how many were answered how. Ends with 1 at a 5xx that is not a service's, an answer that takes
 * over 5 s, an internal error of JSON-RPC, a message that is acted on or a crash, with the seed and the number of the request:
 * `--seed N --only M` sends that one alone.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const lengthMs = durationMs(positionals[0] ?? '1m');
const seed = Number(values.seed ?? randomInt(1_000_000_000));
const only = values.only === undefined ? null : Number(values.only);
const atOnce = 6;
const maxWaitMs = 90_000;
const maxFaults = 20;

await using stand = await openStand({ env: { LOG_LEVEL: 'error' } });
const messages = await openMessageStand();
const requests = fc.oneof(
  { arbitrary: restRequests(await got('/openapi.json')), weight: 4 },
  { arbitrary: toolRequests(await tools()), weight: 4 },
  { arbitrary: programs, weight: 2 },
  { arbitrary: mcpRequests, weight: 2 },
  { arbitrary: deliveries, weight: 2 },
  { arbitrary: reactionNotes, weight: 1 },
  { arbitrary: sessionRequests(await madeTexts()), weight: 3 },
  { arbitrary: ownRequests, weight: 3 },
  // The same weight without a server to send them to, so that a seed stands for the same requests.
  { arbitrary: serverMessages, weight: 1 },
);
const cookie = await administrator();
const counts = new Map<string, number>();
const faults: string[] = [];
let next = 0;
const run = { hasEnded: false };
const ended = async () => {
  await stand.server().ended;
  run.hasEnded = true;
};
void ended();

process.stdout.write(`Seed ${seed}\n`);
if (typeof messages === 'string') process.stdout.write(`Messages between servers are left out: ${messages}\n`);
const endAt = Date.now() + lengthMs;
if (only === null) await Promise.all(Array.from({ length: atOnce }, lane));
else await tryOne(only, true);
if (run.hasEnded) faults.push(`The server has ended.\n${stand.server().log().slice(-3_000)}`);
process.stdout.write(countsText());
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (typeof messages !== 'string') await messages[Symbol.asyncDispose]();
await stand[Symbol.asyncDispose]();
process.exit(faults.length > 0 ? 1 : 0);

async function lane(): Promise<void> {
  while (Date.now() < endAt && !run.hasEnded && faults.length < maxFaults) {
    next += 1;
    await tryOne(next, false);
  }
}

async function tryOne(number: number, isShown: boolean): Promise<void> {
  const [request] = fc.sample(requests, { seed: seed + number, numRuns: 1 });
  if (request === undefined) throw new Error('Nothing was generated.');
  if (request.kind === 'message' && typeof messages === 'string') return;
  const answered = await answerTo(request);
  const key = `${request.kind} ${answered.status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const fault = faultIn(answered, request);
  if (isShown) process.stdout.write(`${JSON.stringify(request)}\n${JSON.stringify(answered)}\n`);
  if (fault === null || run.hasEnded) return;
  const shown = JSON.stringify(request).slice(0, 600);
  faults.push(
    `${fault} npm run fuzz -- 1m --seed ${seed} --only ${number}\n  ${shown}\n  ${answered.text.slice(0, 300)}`,
  );
}

/** What the sender of a request of that kind proves who they are by. */
function ownHeaders(kind: FuzzRequest['kind']): Readonly<Record<string, string>> {
  if (kind === 'delivery' || kind === 'session') return {};
  return kind === 'own' ? { cookie } : { authorization: `Bearer ${stand.token}` };
}

async function answerTo(request: FuzzRequest): Promise<Answered> {
  return request.kind === 'message' && typeof messages !== 'string' ? messages.send(request) : sent(request);
}

async function sent({ kind, method, path, headers, body }: FuzzRequest): Promise<Answered> {
  const begunAt = performance.now();
  const own = ownHeaders(kind);
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    const response = await fetch(`${stand.baseUrl}${path}`, {
      method,
      headers: { ...own, ...headers },
      body,
      signal,
      redirect: 'manual',
    });
    // What listens for changes stays open: its head is the answer.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? await firstOf(response) : await response.text();
    return { status: response.status, text, tookMs: performance.now() - begunAt };
  } catch (error) {
    return { status: 0, text: String(error), tookMs: performance.now() - begunAt };
  }
}

/** The cookies of another administrator, so that what these requests change is not what the others need. */
async function administrator(): Promise<string> {
  const first = await SignedIn.to(stand.baseUrl, ada);
  const account = { email: 'fuzz@example.com', permissions: ['vault'], admin: true };
  const { link } = z.object({ link: z.string() }).parse(await first.call('POST', '/api/users', account));
  const path = link.slice(new URL(link).origin.length);
  const browser = new PlainBrowser({ origin: stand.baseUrl });
  const hidden = hiddenFields(await (await browser.get(path)).text());
  await browser.post('/welcome', { ...hidden, password: ada.password });
  const signedIn = await signedInAt(stand.baseUrl, { email: account.email, password: ada.password });
  return [...signedIn.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The first piece of a stream, which is then left. */
async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return piece?.value === undefined ? '' : Buffer.from(piece.value).toString();
}

async function got(path: string): Promise<unknown> {
  return (await fetch(`${stand.baseUrl}${path}`, { headers: { authorization: `Bearer ${stand.token}` } })).json();
}

async function tools() {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const headers = {
    authorization: `Bearer ${stand.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const listed: unknown = await (await fetch(`${stand.baseUrl}/message`, { method: 'POST', headers, body })).json();
  return toolList.parse(Object(Object(listed).result).tools);
}

/** What the server makes for a person, apps and the guest. */
async function madeTexts(): Promise<MadeTexts> {
  const browser = new PlainBrowser({ origin: stand.baseUrl });
  await browser.get('/set');
  const guest = browser.cookies.get('user') ?? '';
  const form = hiddenFields(await (await browser.get('/login')).text());
  const client = await registered({ origin: stand.baseUrl }, { redirect_uris: [callback] });
  const others = [
    stand.token,
    guest,
    await codeFor({ origin: stand.baseUrl }, client),
    client.client_id,
    client.client_secret,
    form['csrf_token'] ?? '',
    stand.person.cookie('portolan_browser'),
    stand.person.cookie('portolan_known'),
  ];
  return { personCookie: stand.person.cookie('user'), others: others.filter((text) => text !== '') };
}

function countsText(): string {
  const lines = [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `${lines.map(([key, count]) => `${key.padEnd(14)} ${String(count).padStart(7)}`).join('\n')}\n${next} requests, ${faults.length} faults\n`;
}
