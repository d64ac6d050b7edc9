import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';
import { measureLoop, referenceMs } from '#test/support/measures/held-loop.ts';

// A vault in a process of its own, which reports to its parent how long one turn of its event loop took at most.
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };
const delay = monitorEventLoopDelay({ resolution: 5 });
const loop = measureLoop();
delay.enable();

process.on('message', (asked) => {
  const isReset = asked === 'reset';
  if (isReset) {
    loop.reset();
    delay.reset();
  }
  const maxMs = loop.maxMs();
  process.send?.({ maxMs, delayMs: delay.max / 1e6, referenceMs: isReset ? 0 : referenceMs() });
  // The reference is no work of the vault.
  loop.reset();
});

const [folder = ''] = process.argv.slice(2);
const vault = await startEmbeddedVault({
  folder,
  listen: { host: '127.0.0.1', port: 0, apiKey: 'test-key' },
  clock: { now: () => Date.now() },
  logger: silent,
  // Much of what is asked here goes on until it is ended: when that is has nothing to do with what the loop is held.
  maxJobMs: 600,
});
process.send?.({ url: vault.url });

function nothing(): void {}
