import autocannon from 'autocannon';
import type { Figures, Load, Row, Target } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { processorTime } from '#test/bench/processor-time.ts';

/** How a load is put on. Rounds alternate between the two servers, since other work on the machine comes and goes. */
export type LoadShape = Readonly<{ connections: number; seconds: number; rounds: number }>;

/**
 * Measures a load beside `beside`, or beside a bare server that answers with the bytes the target answered with. The ratio is the
 * median of the rounds'.
 */
export async function compare(
  name: string,
  load: Load,
  shape: LoadShape,
  beside?: Pick<Target, 'url' | 'pid'>,
): Promise<Row> {
  const { body, type } = await answerTo(load);
  const own = beside === undefined ? await serveInChild({ kind: 'bare', body, type }) : null;
  const bare = beside ?? own ?? { url: '' };
  const bareLoad = { ...load, url: bare.url, ...(bare.pid === undefined ? {} : { pid: bare.pid }) };
  await shoot(load, { ...shape, seconds: 1 });
  await shoot(bareLoad, { ...shape, seconds: 1 });
  const rounds: Round[] = [];
  for (let round = 0; round < shape.rounds; round += 1) {
    const first = await shoot(bareLoad, shape);
    rounds.push({ bare: first, target: await shoot(load, shape) });
  }
  await own?.close();
  return medianOf(name, rounds);
}

/** A round of the target and one of the baseline, right after each other. */
export type Round = Readonly<{ target: Figures; bare: Figures }>;

/** The median round by its ratio, and how far apart the baseline's rounds were. */
export function medianOf(name: string, rounds: readonly Round[]): Row {
  const ratio = (round: Round) => round.target.perSecond / round.bare.perSecond;
  const median = rounds.toSorted((left, right) => ratio(left) - ratio(right))[Math.floor(rounds.length / 2)];
  if (median === undefined) throw new Error('No rounds were measured');
  const speeds = rounds.map(({ bare }) => bare.perSecond);
  return { load: name, ...median, ratio: ratio(median), spread: 1 - Math.min(...speeds) / Math.max(...speeds) };
}

async function answerTo({ url, method, headers, body }: Load): Promise<Readonly<{ body: string; type: string }>> {
  const response = await fetch(url, { method, headers, body: body ?? null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answers ${response.status}: ${text.slice(0, 200)}`);
  return { body: text, type: response.headers.get('content-type') ?? 'application/octet-stream' };
}

async function shoot(
  { url, method, headers, body, bodyOf, pid }: Load,
  { connections, seconds }: LoadShape,
): Promise<Figures> {
  const given = body === undefined ? {} : { body };
  const setupRequest = (request: autocannon.Request) => ({ ...request, body: bodyOf?.(nextNumber()) ?? body });
  const each = bodyOf === undefined ? {} : { requests: [{ method, setupRequest }] };
  const spent = processorTime(pid);
  const result = await autocannon({ url, method, headers, ...given, ...each, connections, duration: seconds });
  const cpuMs = spent();
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMs: cpuMs === null ? null : cpuMs / result.requests.total,
    failed: result.non2xx + result.errors,
  };
}

let sent = 0;

/** A number that no request of this run has had. */
function nextNumber(): number {
  sent += 1;
  return sent;
}
