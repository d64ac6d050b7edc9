import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, newTally, type Tally } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';

const cleanWithinMs = 10_000;
const idleWithinMs = 1_000;
const atOnceWithinMs = 2_000;
const settledWithinMs = 120_000;
/** A short run shares the machine with other tests: it requires that the process ends by itself, and not how soon. */
const shortWithinMs = 30_000;

/** SIGTERM at the worst of moments. */
export const shutdown: readonly FaultRow[] = [
  {
    subject: 'SIGTERM',
    fault: 'idle, with connections and streams open',
    holds: 'It ends with 0 within a second, and streams end cleanly.',
    run: whenIdle,
  },
  {
    subject: 'SIGTERM',
    fault: 'a call in flight on a kept-alive connection',
    holds: 'The call is answered, with Connection: close, and the server ends with 0 right after it (RUN-001)',
    run: (extent) => withCallInFlight(extent, 1),
  },
  {
    subject: 'SIGTERM',
    fault: 'deliveries and calls held by a provider that hangs',
    holds: 'It ends with 0 within 10 s, and what was not done is done after the next start (RUN-002)',
    run: whileProviderHangs,
  },
  {
    subject: 'SIGTERM',
    fault: 'a second Ctrl-C, while a provider hangs',
    holds:
      'A second Ctrl-C a second later ends it at once, and what was not done is done after the next start (RUN-022)',
    run: twice,
  },
  {
    subject: 'SIGTERM',
    fault: 'several at the same time, with a call in flight',
    holds: 'They are one stop: the call is answered, and the server ends with 0 (RUN-022)',
    run: (extent) => withCallInFlight(extent, 3),
  },
];

async function whenIdle({ isShort }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const stream = await openStream(stand);
  await Promise.all(Array.from({ length: 5 }, () => fetch(`${stand.baseUrl}/healthz`).then((each) => each.text())));
  const { code, tookMs } = await stopped(stand);
  return measured('5 kept-alive connections, a stream', newTally(), [
    ...endedWell(code, tookMs, isShort ? shortWithinMs : idleWithinMs),
    ...((await stream.end) === 'clean' ? [] : ['The stream was cut.']),
  ]);
}

async function withCallInFlight({ isShort }: Extent, signals: number): Promise<Measured> {
  await using stand = await openStand(verbose);
  const stopping = Promise.withResolvers<void>();
  stand.emulators.salesCrm.delayNext(stopping.promise);
  const before = stand.fronts.salesCrm.requests();
  const agent = new Agent({ keepAlive: true });
  const call = get(stand, '/api/sales_crm/deals', agent);
  while (stand.fronts.salesCrm.requests() === before) await delay(10);
  const ending = stopped(stand);
  await untilStopping(stand);
  for (let sent = 1; sent < signals; sent += 1) stand.server().signal('SIGTERM');
  stopping.resolve();
  const { code, tookMs } = await ending;
  const { status, connection } = await call;
  agent.destroy();
  return measured('1 call', newTally(), [
    ...endedWell(code, tookMs, isShort ? shortWithinMs : idleWithinMs),
    ...(status === 200 ? [] : [`The call was answered ${status}.`]),
    ...(connection === 'close' ? [] : [`The answer had Connection: ${connection}.`]),
  ]);
}

async function whileProviderHangs({ isShort }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const tally = await heldByProvider(stand, isShort);
  const { code, tookMs } = await stopped(stand);
  const problems = endedWell(code, tookMs, isShort ? shortWithinMs : cleanWithinMs);
  return { ...(await afterRestart(stand, tally)), problems };
}

async function twice({ isShort }: Extent): Promise<Measured> {
  await using stand = await openStand(verbose);
  const tally = await heldByProvider(stand, isShort);
  stand.server().signal('SIGINT');
  await untilStopping(stand);
  await delay(sameStopMs);
  const { code, tookMs } = await stopped(stand, 'SIGINT');
  const limit = isShort ? shortWithinMs : atOnceWithinMs;
  const problems = [
    ...(code === 130 ? [] : [`It ended with ${String(code)}.`]),
    ...(tookMs > limit ? [`It ended ${Math.round(tookMs)} ms after the second signal.`] : []),
  ];
  return { ...(await afterRestart(stand, tally)), problems };
}

/** How far apart two Ctrl-C have to be to be two, and some more. */
const sameStopMs = 1_200;

/** Deliveries that are acknowledged and cannot be done, and a call that gets no answer. */
async function heldByProvider(stand: Stand, isShort: boolean): Promise<Tally> {
  await stand.fronts.suiteCrm.be('hangs');
  await stand.fronts.salesCrm.be('hangs');
  const before = stand.fronts.suiteCrm.requests();
  const tally = await sendAll(stand, deliveriesOf({ kinds: ['organization'], records: 20, count: isShort ? 2 : 20 }));
  get(stand, '/api/sales_crm/deals', new Agent({ keepAlive: true })).catch(() => undefined);
  while (stand.fronts.suiteCrm.requests() === before) await delay(10);
  return tally;
}

async function afterRestart(stand: Stand, tally: Tally): Promise<Measured> {
  await stand.fronts.suiteCrm.be('well');
  await stand.fronts.salesCrm.be('well');
  await stand.start();
  const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
  const counted = { lost: lost.length, doubled: doubled.length, recoveredAfterMs };
  return { ...measured(`${tally.acknowledged.length} deliveries, 1 call`, tally, []), ...counted };
}

function measured(load: string, { acknowledged }: Tally, problems: readonly string[]): Measured {
  return { load, acknowledged: acknowledged.length, lost: 0, doubled: 0, recoveredAfterMs: null, problems };
}

/** A server that says when it begins to stop. */
const verbose = { env: { LOG_LEVEL: 'info' } };

async function untilStopping(stand: Stand): Promise<void> {
  while (!stand.server().log().includes('Stopping')) await delay(10);
}

/** Sends the signal; the exit code, null when it had to be killed, and how long it took. */
async function stopped(
  stand: Stand,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<Readonly<{ code: number | null; tookMs: number }>> {
  const begunAt = performance.now();
  stand.server().signal(signal);
  const killed = setTimeout(() => stand.server().signal('SIGKILL'), 60_000);
  const code = await stand.server().ended;
  clearTimeout(killed);
  return { code, tookMs: performance.now() - begunAt };
}

function endedWell(code: number | null, tookMs: number, withinMs: number): readonly string[] {
  return [
    ...(code === 0 ? [] : [`It ended with ${code === null ? 'a kill' : code}.`]),
    ...(tookMs > withinMs ? [`It took ${Math.round(tookMs)} ms to end.`] : []),
  ];
}

type Got = Readonly<{ status: number; connection: string }>;

function get(stand: Stand, path: string, agent: Agent): Promise<Got> {
  const headers = { authorization: `Bearer ${stand.token}`, accept: 'application/json' };
  return new Promise((resolve, reject) => {
    request(`${stand.baseUrl}${path}`, { headers, agent }, (answer) => {
      const { statusCode = 0, headers: sent } = answer;
      answer.resume();
      answer.once('end', () => resolve({ status: statusCode, connection: sent.connection ?? 'keep-alive' }));
      answer.once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

/** A stream of changes that is open, and how it ends. */
async function openStream(stand: Stand): Promise<Readonly<{ end: Promise<'clean' | 'cut'> }>> {
  const headers = { authorization: `Bearer ${stand.token}`, accept: 'text/event-stream' };
  const response = await fetch(`${stand.baseUrl}/sse`, { headers });
  const reader = response.body?.getReader();
  await reader?.read();
  const end = (async () => {
    try {
      while ((await reader?.read())?.done === false);
      return 'clean' as const;
    } catch {
      return 'cut' as const;
    }
  })();
  return { end };
}
