import { performance } from 'node:perf_hooks';

/**
 * How much of a period the event loop had work, from 0 to 1, and how much processor time the process got in it, in
 * cores. A loop that always has work but gets little processor time is short of it.
 */
export type ProcessorLoad = Readonly<{ busy: number; cores: number }>;

/** Returns a function that measures the load since it was last called. */
export function measureProcessorLoad(): () => ProcessorLoad {
  let [at, loop, used] = [performance.now(), performance.eventLoopUtilization(), process.cpuUsage()];
  return () => {
    const [now, loopNow, usedNow] = [performance.now(), performance.eventLoopUtilization(), process.cpuUsage()];
    const busy = performance.eventLoopUtilization(loopNow, loop).utilization;
    const usedMs = (usedNow.user - used.user + usedNow.system - used.system) / 1_000;
    const cores = now > at ? usedMs / (now - at) : 1;
    [at, loop, used] = [now, loopNow, usedNow];
    return { busy, cores };
  };
}
