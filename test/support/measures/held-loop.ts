const tickMs = 4;

/** How long one turn of this thread's event loop took at most, in CPU time, so that what else the machine does counts little. */
export type HeldLoop = Readonly<{
  reset(): void;
  /** The longest turn since the last reset, in ms. */
  maxMs(): number;
  stop(): void;
}>;

/** Begins to measure. */
export function measureLoop(): HeldLoop {
  let maxMs = 0;
  let last = cpuMs();
  const look = () => {
    const now = cpuMs();
    maxMs = Math.max(maxMs, now - last);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  return {
    reset: () => {
      maxMs = 0;
      last = cpuMs();
    },
    maxMs: () => {
      look();
      return maxMs;
    },
    stop: () => clearInterval(timer),
  };
}

/** What a fixed piece of work takes here and now, in ms; about 25 on a machine with nothing else to do. */
export function referenceMs(): number {
  const began = cpuMs();
  let sum = 0;
  for (let turn = 0; turn < 20_000_000; turn += 1) sum = (sum + turn * 7) % 1_000_003;
  return sum < 0 ? 0 : cpuMs() - began;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
