import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startEmbeddedVault } from '#adapters/embedded-vault/start-embedded-vault.ts';

// A vault in a process of its own, which tells its parent how long one turn of its event loop took at most: in CPU time of that
// thread, so that what else the machine does counts little.
const tickMs = 4;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };
const delay = monitorEventLoopDelay({ resolution: 5 });
let maxMs = 0;
let last = cpuMs();

delay.enable();
setInterval(() => {
  const now = cpuMs();
  maxMs = Math.max(maxMs, now - last);
  last = now;
}, tickMs);

process.on('message', (asked) => {
  if (asked === 'reset') {
    maxMs = 0;
    delay.reset();
  }
  process.send?.({ maxMs, delayMs: delay.max / 1e6, referenceMs: asked === 'reset' ? 0 : reference() });
});

const [folder = ''] = process.argv.slice(2);
const vault = await startEmbeddedVault({
  folder,
  apiKey: 'test-key',
  listen: { host: '127.0.0.1', port: 0 },
  clock: { now: () => Date.now() },
  logger: silent,
  // Much of what is asked here goes on until it is ended: when that is has nothing to do with what the loop is held.
  maxJobMs: 600,
});
process.send?.({ url: vault.url });

/** What a fixed piece of work takes here and now; about 20 ms on a machine with nothing else to do. */
function reference(): number {
  const began = cpuMs();
  let sum = 0;
  for (let turn = 0; turn < 20_000_000; turn += 1) sum = (sum + turn * 7) % 1_000_003;
  const took = cpuMs() - began;
  last = cpuMs();
  return sum < 0 ? 0 : took;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function nothing(): void {}
