import type { Bench } from '#test/bench/bench.ts';
import { measureStreams } from '#test/bench/streams.ts';

/** Open streams of many people at the whole server. BENCH_STREAMS (10,000) is how many, a tenth as many people. */
export const bench: Bench = {
  name: 'streams',
  run: async () => [],
  measure: () => {
    const streams = Number(process.env['BENCH_STREAMS'] ?? 10_000);
    return measureStreams({ streams, people: Math.ceil(streams / 10) });
  },
};
