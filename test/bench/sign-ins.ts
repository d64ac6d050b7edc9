import { setTimeout as delay } from 'node:timers/promises';
import { startBeats } from '#test/bench/beats.ts';
import type { Figure } from '#test/bench/bench.ts';
import { emailOf, peopleOf } from '#test/bench/people.ts';
import { percentile } from '#test/bench/percentile.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import {
  authorizePath,
  callback,
  exchange,
  type Registered,
  registered,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type ServerProcess, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

const people = 200;
/** How many sign in at the same time at full load, how long, and how many sign-ins a minute are asked of it afterwards. */
const shape = { atOnce: 8, seconds: Number(process.env['BENCH_SECONDS'] ?? 3) * 6, aMinute: 500 } as const;
/** So many passwords arrive at once that some have to be refused. */
const flood = 600;

type Signing = Readonly<{ server: ServerProcess; app: Readonly<{ origin: string }>; client: Registered }>;

/** Sign-ins of an app at the whole server: at full load, at 500 a minute, and so many at once that not all can be done. */
export async function measureSignIns(): Promise<readonly Figure[]> {
  const { dataDir, remove } = await temporaryDataDir();
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' });
  try {
    peopleOf(dataDir, people);
    const app = { origin: server.baseUrl };
    const signing = { server, app, client: await registered(app) };
    await fullLoad(signing, 4);
    const full = await measured(signing, () => fullLoad(signing, shape.seconds));
    const even = await measured(signing, () => evenLoad(signing, shape.seconds));
    const flooded = await measured(signing, () => floodOf(signing));
    const row = (figure: string, unit: string, value: number | null, baseline: number | null = null): Figure => ({
      figure,
      unit,
      value,
      baseline,
    });
    const spread = (name: string, { took, healthMs, cpuMs }: typeof full) => [
      row(`${name}, median`, 'ms', percentile(took, 0.5)),
      row(`${name}, slowest of a hundred`, 'ms', percentile(took, 0.99), percentile(took, 0.5) * 10),
      row(`${name}, processor time of each`, 'ms', cpuMs),
      row(`${name}, the longest wait of /healthz`, 'ms', healthMs),
    ];
    return [
      row('sign-ins at full load', 'a minute', (full.took.length * 60_000) / full.ms, shape.aMinute),
      ...spread('sign-ins at full load', full),
      ...spread(`${shape.aMinute} sign-ins a minute`, even),
      row(`${flood} passwords at once, verified`, 'passwords', flooded.took.length),
      row(`${flood} passwords at once, refused with Retry-After`, 'passwords', flood - flooded.took.length),
      row(`${flood} passwords at once, longest until an answer`, 'ms', Math.max(0, ...flooded.took)),
      row(`${flood} passwords at once, the longest wait of /healthz`, 'ms', flooded.healthMs),
    ];
  } finally {
    await server.end('SIGTERM');
    await remove();
  }
}

/** What a load took, with the processor time of each sign-in and the longest wait of `/healthz` meanwhile, all in ms. */
async function measured({ server }: Signing, load: () => Promise<readonly number[]>) {
  const beats = startBeats(server.baseUrl);
  const used = processorTime(server.pid);
  const begunAt = performance.now();
  const took = await load();
  const ms = performance.now() - begunAt;
  return { took, ms, cpuMs: (used() ?? 0) / took.length, healthMs: await beats.longestMs() };
}

async function fullLoad(signing: Signing, seconds: number): Promise<readonly number[]> {
  const took: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  let next = 0;
  const line = async (): Promise<void> => {
    for (; performance.now() < endsAt; next += 1) took.push(await timed(() => signIn(signing, next)));
  };
  await Promise.all(Array.from({ length: shape.atOnce }, line));
  return took;
}

/** Sign-ins that arrive evenly, whether those before have ended or not. */
async function evenLoad(signing: Signing, seconds: number): Promise<readonly number[]> {
  const everyMs = 60_000 / shape.aMinute;
  const arrivals = Array.from({ length: Math.floor((seconds * 1_000) / everyMs) }, (_, number) => number);
  return Promise.all(
    arrivals.map(async (number) => {
      await delay(number * everyMs);
      return timed(() => signIn(signing, number));
    }),
  );
}

/** Sends passwords all at once; how long each that was verified took. Throws for a refusal that does not say when to come back. */
async function floodOf({ app, server }: Signing): Promise<readonly number[]> {
  const browser = new PlainBrowser(app);
  const fields = hiddenFields(await (await browser.get('/login')).text());
  const took: number[] = [];
  const one = async (number: number): Promise<void> => {
    const begunAt = performance.now();
    const login = { ...fields, email: emailOf(2 + (number % (people - 1))), password: server.password };
    const { status, headers } = await browser.post('/login', login);
    if (status === 303) took.push(performance.now() - begunAt);
    else if (status !== 503 || !headers.has('retry-after')) throw new Error(`A password is answered ${status}`);
  };
  await Promise.all(Array.from({ length: flood }, (_, number) => one(number)));
  return took;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}

/** An app's way to a token: the login page, the password, consent, the code, and its exchange with the verifier (RFC 7636). */
async function signIn({ app, client, server }: Signing, number: number): Promise<void> {
  const browser = new PlainBrowser(app);
  const path = authorizePath({
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    state: 's',
    code_challenge: vector.challenge,
    code_challenge_method: 'S256',
  });
  const email = emailOf(2 + (number % (people - 1)));
  const login = hiddenFields(await (await browser.get(path)).text());
  const consent = await (await browser.post('/authorize', { ...login, email, password: server.password })).text();
  const allowed = await browser.post('/authorize', { ...hiddenFields(consent), decision: 'allow' });
  const code = new URL(allowed.headers.get('location') ?? 'none:').searchParams.get('code') ?? '';
  const answer = await exchange(app, { code, client_id: client.client_id, code_verifier: vector.verifier });
  const token = await answer.text();
  if (!answer.ok) throw new Error(`A sign-in is answered ${answer.status}: ${token}`);
}
