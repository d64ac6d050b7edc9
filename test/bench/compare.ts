import autocannon from 'autocannon';
import type { Figures, Load, Row } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';

/** How a load is put on. Rounds alternate between the two servers, since other work on the machine comes and goes. */
export type LoadShape = Readonly<{ connections: number; seconds: number; rounds: number }>;

/** Measures a load beside a bare server that answers with the bytes the target answered with. The ratio is the median of the rounds'. */
export async function compare(name: string, load: Load, shape: LoadShape): Promise<Row> {
  const { body, type } = await answerTo(load);
  const bare = await serveInChild({ kind: 'bare', body, type });
  const bareLoad = { ...load, url: bare.url };
  await shoot(load, { ...shape, seconds: 1 });
  await shoot(bareLoad, { ...shape, seconds: 1 });
  const rounds: Readonly<{ target: Figures; bare: Figures }>[] = [];
  for (let round = 0; round < shape.rounds; round += 1) {
    const first = await shoot(bareLoad, shape);
    rounds.push({ bare: first, target: await shoot(load, shape) });
  }
  await bare.close();
  const ratio = (round: (typeof rounds)[number]) => round.target.perSecond / round.bare.perSecond;
  const sorted = rounds.toSorted((left, right) => ratio(left) - ratio(right));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error('No rounds were measured');
  return { load: name, ...median, ratio: ratio(median) };
}

async function answerTo({ url, method, headers, body }: Load): Promise<Readonly<{ body: string; type: string }>> {
  const response = await fetch(url, { method, headers, body: body ?? null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answers ${response.status}: ${text.slice(0, 200)}`);
  return { body: text, type: response.headers.get('content-type') ?? 'application/octet-stream' };
}

async function shoot({ url, method, headers, body }: Load, { connections, seconds }: LoadShape): Promise<Figures> {
  const given = body === undefined ? {} : { body };
  const result = await autocannon({ url, method, headers, ...given, connections, duration: seconds });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}
