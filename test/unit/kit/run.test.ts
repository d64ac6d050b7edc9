import { describe, expect, it } from 'vitest';
import { equal } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { configOf } from '#test/kit/config.ts';
import { Kit } from '#test/kit/kit.ts';
import { isGood, reportOf, tableOf } from '#test/kit/report.ts';
import { runClauses } from '#test/kit/run.ts';

const passes = contract('CODE-001', 'a check that passes', async () => {});
const fails = contract('CODE-002/one', 'a check that fails', async () => equal(1, 2, 'the number'));
const cannot = contract('CODE-006', 'a check of time', async () => equal(1, 2, 'never'), ['clock']);
const ours = portolan('CODE-007', 'a choice of Portolan', async () => equal(1, 2, 'never'));

async function reported(clauses: readonly Clause[], expectedFailures: readonly string[] = []) {
  const config = configOf({ baseUrl: 'http://127.0.0.1:1', expectedFailures }, 't.json');
  const kit = new Kit({ config, baseUrl: config.baseUrl, emulators: null, restart: null, clockHook: null });
  return reportOf(config.baseUrl, new Date(0), await runClauses(kit, clauses), expectedFailures);
}

describe('a run of the contract kit', () => {
  it('reports what was expected and what came, in the report and on the terminal (KIT-004)', async () => {
    const report = await reported([passes, fails]);
    expect(report.results.map(({ key, outcome, message }) => [key, outcome, message])).toEqual([
      ['CODE-001', 'passed', null],
      ['CODE-002/one', 'failed', 'expected the number 2; came 1'],
    ]);
    expect(report.counts).toEqual({ clauses: 2, passed: 1, failed: 1, skipped: 0, 'expected-failure': 0 });
    expect(tableOf(report)).toContain('expected the number 2; came 1');
    expect(isGood(report)).toBe(false);
  });

  it('skips what the target provides no means for, and says why (KIT-003)', async () => {
    const { results, counts } = await reported([cannot, ours]);
    expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['skipped', 'the config has no hooks.clock'],
      ['skipped', 'the interface leaves it open, and the config does not name the extension portolan'],
    ]);
    expect(counts.passed).toBe(0);
  });

  it('succeeds if only expected failures occur, and fails if one of them passes (KIT-005)', async () => {
    expect(isGood(await reported([passes, fails], ['CODE-002/one']))).toBe(true);
    expect(isGood(await reported([passes, fails], ['CODE-002']))).toBe(true);
    const passed = await reported([passes, fails], ['CODE-001', 'CODE-002/one']);
    expect(passed.unexpectedPasses).toEqual(['CODE-001']);
    expect(isGood(passed)).toBe(false);
  });
});
