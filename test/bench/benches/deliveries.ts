import type { Bench } from '#test/bench/bench.ts';
import { deliverToNotes } from '#test/bench/deliveries.ts';

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

/**
 * Deliveries to notes in the embedded vault beside the same done by hand, in an empty vault and in one of BENCH_NOTES (50,000). It
 * brings its own servers. BENCH_DELIVERIES (400) is the length of a round.
 */
export const bench: Bench = {
  name: 'deliveries',
  run: async () => {
    const shape = {
      connections: setting('BENCH_CONNECTIONS', 32),
      deliveries: setting('BENCH_DELIVERIES', 400),
      rounds: setting('BENCH_ROUNDS', 5),
    };
    return deliverToNotes(setting('BENCH_NOTES', 50_000), shape);
  },
};
