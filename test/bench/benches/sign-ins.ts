import type { Bench } from '#test/bench/bench.ts';
import { measureSignIns } from '#test/bench/sign-ins.ts';

/** Sign-ins with a password, and of an app by a code, at the whole server. */
export const bench: Bench = { name: 'signins', run: async () => [], measure: measureSignIns };
