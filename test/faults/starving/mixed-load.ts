import { setTimeout as delay } from 'node:timers/promises';
import { type Kind, type Marked, marked, sendOnce } from '#test/faults/deliveries.ts';
import type { Counts, StarvedStand } from '#test/faults/starving/starved-stand.ts';

/** What may arrive: deliveries that are noted, those that are pushed to the provider, and calls of tools that read and write notes. */
export type Arrival = 'deliveries' | 'pushes' | 'reads' | 'writes';

const inInbox = ['deliveries', 'pushes'] as const;
const kinds: readonly Kind[] = ['deal', 'document', 'issue'];

/** What became of what arrived: `refused` is 503 or 429 with `Retry-After`, `unanswered` had no answer in time. */
export type Answers = { sent: number; ok: number; refused: number; unanswered: number; wrong: Map<string, number> };

/** The load of one row: what was answered, and what of it was acknowledged. */
export type MixedLoad = Readonly<{
  arrivals: readonly Arrival[];
  answers: Readonly<Record<Arrival, Answers>>;
  acknowledged: Marked[];
  /** The lines that were acknowledged as written, and how long reads took that were answered, in ms. */
  written: string[];
  tookMs: number[];
  send(what: Arrival): Promise<void>;
}>;

/** How long those who send wait for an answer. */
const giveUpMs = { deliveries: 5_000, pushes: 5_000, reads: 10_000, writes: 10_000 } as const;
const records = 40;
const notes = 20;

/** A load of such arrivals on a server. */
export function newLoad({ stand }: Pick<StarvedStand, 'stand'>, all: readonly Arrival[]): MixedLoad {
  const answers = { deliveries: newAnswers(), pushes: newAnswers(), reads: newAnswers(), writes: newAnswers() };
  const [acknowledged, written, tookMs]: [Marked[], string[], number[]] = [[], [], []];
  let turn = 0;

  const call = async (what: 'reads' | 'writes', name: string, given: Readonly<Record<string, string>>) => {
    const begunAt = performance.now();
    const whole = fetch(`${stand.baseUrl}/message`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stand.token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: turn, method: 'tools/call', params: { name, arguments: given } }),
      signal: AbortSignal.timeout(giveUpMs[what]),
    }).then(
      async (response) => ({ response, text: await response.text() }),
      () => null,
    );
    // A signal that is collected as garbage never aborts.
    const answer = await Promise.race([whole.catch(() => null), delay(giveUpMs[what], null, { ref: false })]);
    if (what === 'reads' && answer?.response.ok === true) tookMs.push(performance.now() - begunAt);
    return take(answers[what], answer?.response ?? null, answer?.text ?? null);
  };

  const send = async (what: Arrival) => {
    turn += 1;
    const note = `Load/${turn % notes}.md`;
    answers[what].sent += 1;
    switch (what) {
      case 'deliveries':
      case 'pushes': {
        const kind = what === 'pushes' ? 'organization' : (kinds[turn % kinds.length] ?? 'deal');
        const one = marked(kind, String(1 + (turn % records)));
        const response = await sendOnce(one, stand.baseUrl, giveUpMs[what]);
        if (take(answers[what], response, null)) acknowledged.push(one);
        return;
      }
      case 'reads':
        return void (await call('reads', 'vault_note_read', { path: note }));
      case 'writes': {
        const line = `line-${turn}.`;
        if (await call('writes', 'vault_note_write', { path: note, content: `${line}\n`, mode: 'append' }))
          written.push(line);
      }
    }
  };
  return { arrivals: all, answers, acknowledged, written, tookMs, send };
}

const newAnswers = (): Answers => ({ sent: 0, ok: 0, refused: 0, unanswered: 0, wrong: new Map() });

/** Counts an answer; whether it was a success. */
function take(answers: Answers, response: Response | null, text: string | null): boolean {
  if (response === null) answers.unanswered += 1;
  else if (response.status === 200 && text?.includes('"isError":true') !== true) {
    answers.ok += 1;
    return true;
  } else if ([429, 503].includes(response.status) && response.headers.has('retry-after')) answers.refused += 1;
  else {
    const said = `${response.status} ${text?.replace(/^.*"text":/, '').slice(0, 100) ?? ''}`;
    answers.wrong.set(said, (answers.wrong.get(said) ?? 0) + 1);
  }
  return false;
}

/** How many a second of each. */
export type Rates = Readonly<Record<Arrival, number>>;

/** Enough is what keeps so many waiting, and no more. */
const enoughWaiting = 60;
/** Who sends what just one after the other, and how long they pause. */
const senders = { deliveries: 24, pushes: 12, reads: 2, writes: 1 } as const;
const pauseMs = { deliveries: 0, pushes: 0, reads: 50, writes: 50 } as const;

/** Counts what waits, several times a second. */
export type Watch = Readonly<{ last(): Counts & Readonly<{ at: number }>; stop(): Promise<void> }>;

/** Starts to count. */
export async function startWatch({ counts }: Pick<StarvedStand, 'counts'>): Promise<Watch> {
  const ending = new AbortController();
  const take = async () => ({ ...(await counts()), at: performance.now() });
  let last = await take();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await delay(100);
      last = await take();
    }
  })();
  return {
    last: () => last,
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}

/** Measures how many a second are done of each during `ms`: deliveries that are finished, calls that are answered. */
export async function measure(load: MixedLoad, watch: Watch, ms: number): Promise<Rates> {
  const ok = () => ({ reads: load.answers.reads.ok, writes: load.answers.writes.ok });
  const [from, before, at] = [watch.last(), ok(), performance.now()];
  await delay(ms);
  const [to, after, seconds] = [watch.last(), ok(), (performance.now() - at) / 1_000];
  const donePerSecond = (what: 'deliveries' | 'pushes') =>
    ((to[what].done - from[what].done) * 1_000) / Math.max(1, to.at - from.at);
  return {
    deliveries: donePerSecond('deliveries'),
    pushes: donePerSecond('pushes'),
    reads: (after.reads - before.reads) / seconds,
    writes: (after.writes - before.writes) / seconds,
  };
}

/** Sends as much as is done, until the signal. */
export async function sendEnough(load: MixedLoad, watch: Watch, signal: AbortSignal): Promise<void> {
  await Promise.all(
    load.arrivals.flatMap((what) =>
      Array.from({ length: senders[what] }, async () => {
        while (!signal.aborted) {
          const waiting = inInbox.find((one) => one === what);
          if (waiting === undefined || watch.last()[waiting].waiting < enoughWaiting) await load.send(what);
          else await delay(50);
          await delay(pauseMs[what]);
        }
      }),
    ),
  );
}

/** So many wait for an answer at a time: with thousands of connections those who send would take the machine for themselves. */
const mostUnanswered = 500;

/**
 * Sends so many a second of each, whatever the answers, until the signal; fewer while too many wait for an answer. Resolves
 * when all have an answer or none.
 */
export async function sendAtRates(load: MixedLoad, rates: Rates, signal: AbortSignal): Promise<void> {
  const sending = new Set<Promise<void>>();
  await Promise.all(
    load.arrivals.map(async (what) => {
      const begunAt = performance.now();
      for (let sent = 0; !signal.aborted; ) {
        for (; sent < ((performance.now() - begunAt) * rates[what]) / 1_000; sent += 1) {
          if (sending.size === mostUnanswered) continue;
          const one = load.send(what).finally(() => sending.delete(one));
          sending.add(one);
        }
        await delay(5);
      }
    }),
  );
  await Promise.all(sending);
}
