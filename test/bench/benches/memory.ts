import type { Bench } from '#test/bench/bench.ts';
import { measureMemory } from '#test/bench/memory.ts';

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

/**
 * Resident memory beside that of the packages alone, after half, all and four times BENCH_DELIVERIES (800), and with
 * BENCH_NOTES (50,000) notes. It brings its own servers.
 */
export const bench: Bench = {
  name: 'memory',
  run: async () => [],
  measure: () => measureMemory(setting('BENCH_DELIVERIES', 800), setting('BENCH_NOTES', 50_000)),
};
