import type { Bench } from '#test/bench/bench.ts';
import { name, run } from '#test/bench/webhooks.ts';

/** Receipts of signed deliveries beside a bare server with the same durable insert. It brings its own servers. */
export const bench: Bench = { name, run: () => run() };
