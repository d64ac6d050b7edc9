import { performance } from 'node:perf_hooks';
import { afterEach, expect, it, vi } from 'vitest';
import { measureProcessorLoad, type ProcessorLoad } from '#infrastructure/program/processor-load.ts';

/** How long it has been, and how much of that the loop had work and the process ran, in ms. */
type Spent = Readonly<{ ms: number; busyMs: number; userMs: number; systemMs: number }>;

afterEach(() => void vi.restoreAllMocks());

/** What is measured over these periods, one after the other, by a process that has run for a while. */
function measured(...periods: readonly Spent[]): readonly ProcessorLoad[] {
  let total: Spent = { ms: 5_000, busyMs: 4_000, userMs: 3_000, systemMs: 500 };
  const between = performance.eventLoopUtilization.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => total.ms);
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({
    user: total.userMs * 1_000,
    system: total.systemMs * 1_000,
  }));
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((later, earlier) => {
    const { ms, busyMs } = total;
    return later === undefined
      ? { active: busyMs, idle: ms - busyMs, utilization: busyMs / ms }
      : between(later, earlier);
  });
  const measure = measureProcessorLoad();
  return periods.map(({ ms, busyMs, userMs, systemMs }) => {
    total = {
      ms: total.ms + ms,
      busyMs: total.busyMs + busyMs,
      userMs: total.userMs + userMs,
      systemMs: total.systemMs + systemMs,
    };
    return measure();
  });
}

it('the load reports for each period how much of it the loop was busy, and how many cores the process got', () => {
  const loads = measured(
    { ms: 1_000, busyMs: 250, userMs: 150, systemMs: 50 },
    { ms: 2_000, busyMs: 2_000, userMs: 2_500, systemMs: 500 },
    { ms: 1_000, busyMs: 0, userMs: 0, systemMs: 0 },
  );
  expect(loads).toEqual([
    { busy: 0.25, cores: 0.2 },
    { busy: 1, cores: 1.5 },
    { busy: 0, cores: 0 },
  ]);
});

it('the load distinguishes a loop that is always busy and gets 5 % of a core from one that has little to do', () => {
  const [starved, idle] = measured(
    { ms: 1_000, busyMs: 1_000, userMs: 40, systemMs: 10 },
    { ms: 1_000, busyMs: 50, userMs: 40, systemMs: 10 },
  );
  expect([starved, idle]).toEqual([
    { busy: 1, cores: 0.05 },
    { busy: 0.05, cores: 0.05 },
  ]);
});

it('the load counts a period of no length as one of a whole core', () => {
  expect(measured({ ms: 0, busyMs: 0, userMs: 0, systemMs: 0 })[0]?.cores).toBe(1);
});
