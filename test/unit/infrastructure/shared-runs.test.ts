import { describe, expect, it } from 'vitest';
import { SharedRuns } from '#infrastructure/concurrency/shared-runs.ts';

/** Runs that end when the test says so, in their order. */
function heldRuns() {
  const begun: ReturnType<typeof Promise.withResolvers<void>>[] = [];
  const runs = new SharedRuns(() => {
    const run = Promise.withResolvers<void>();
    begun.push(run);
    return run.promise;
  });
  const end = (index: number) => begun[index]?.resolve();
  const fail = (index: number) => begun[index]?.reject(new Error('It fails'));
  return { runs, begun, end, fail };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('runs that are shared', () => {
  it('are one for all that ask in one moment', async () => {
    const { runs, begun, end } = heldRuns();
    const asked = [runs.ask(), runs.ask(), runs.ask()];
    await turn();
    expect(begun).toHaveLength(1);
    end(0);
    await Promise.all(asked);
    expect(runs.isIdle).toBe(true);
  });

  it('are the next one for all that ask while one is under way', async () => {
    const { runs, begun, end } = heldRuns();
    const first = runs.ask();
    await turn();
    const later: string[] = [];
    const asked = [runs.ask(), runs.ask()].map((ended) => ended.then(() => void later.push('ended')));
    await turn();
    expect(begun).toHaveLength(1);
    end(0);
    await first;
    await turn();
    expect([begun.length, later, runs.isIdle]).toEqual([2, [], false]);
    end(1);
    await Promise.all(asked);
    expect([later, runs.isIdle]).toEqual([['ended', 'ended'], true]);
  });

  it('fail for those that share them, and not for the next', async () => {
    const { runs, end, fail } = heldRuns();
    const first = runs.ask();
    await turn();
    const second = runs.ask();
    fail(0);
    await expect(first).rejects.toThrow('It fails');
    await turn();
    end(1);
    await expect(second).resolves.toBeUndefined();
  });

  it('have all ended, well or not, when they are waited for', async () => {
    const { runs, end, fail } = heldRuns();
    await runs.idle();
    const failing = expect(runs.ask()).rejects.toThrow('It fails');
    await turn();
    const last = runs.ask();
    let isIdle = false;
    const idle = (async () => {
      await runs.idle();
      isIdle = true;
    })();
    fail(0);
    await turn();
    expect(isIdle).toBe(false);
    end(1);
    await Promise.all([failing, last, idle]);
    expect(runs.isIdle).toBe(true);
  });
});
