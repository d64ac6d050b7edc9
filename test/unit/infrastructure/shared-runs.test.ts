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

describe('shared runs', () => {
  it('are one for all callers of the same moment', async () => {
    const { runs, begun, end } = heldRuns();
    const asked = [runs.ask(), runs.ask(), runs.ask()];
    await turn();
    expect(begun).toHaveLength(1);
    end(0);
    await Promise.all(asked);
    expect(runs.isIdle).toBe(true);
  });

  it('are the next one for all callers while one is running', async () => {
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

  it('fail for their own callers, and not for the next ones', async () => {
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

  it('have all ended, successfully or not, when they are awaited', async () => {
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
