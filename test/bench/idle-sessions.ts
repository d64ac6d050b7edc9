import { HttpSessions } from '#adapters/mcp/http-sessions.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';

/* `node --expose-gc test/bench/idle-sessions.ts`: the heap that an idle session of Streamable HTTP takes. */
const count = 10_000;
const sessions = new HttpSessions(systemRandom, { perUser: 32, all: count, idleMs: 1_800_000 });
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const before = heap();
for (let n = 0; n < count; n += 1) {
  const { channel } = sessions.open(n);
  channel.capabilities = JSON.parse('{"elicitation":{"form":{}},"sampling":{},"roots":{"listChanged":true}}');
}
const perSession = (heap() - before) / count;
process.stdout.write(`${sessions.count} idle sessions, ${Math.round(perSession)} bytes of heap each\n`);
