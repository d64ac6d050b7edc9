import type { Bench } from '#test/bench/bench.ts';
import { measureMixed } from '#test/bench/mixed.ts';

/** Calls, deliveries, changes on streams, pages and sign-ins together, at 70 % of what the whole server can do of them. */
export const bench: Bench = { name: 'mixed', run: async () => [], grid: measureMixed };
