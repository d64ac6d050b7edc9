import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Report, runSuite, suite } from '#test/conformance/suite.ts';
import { summaryIn, summaryOf } from '#test/conformance/table.ts';
import { reportSkipped } from '#test/support/network/fetched-command.ts';

reportSkipped(suite);

/** How many scenarios are required, as the suite's requirement files list them. */
const required = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
  ['authorization, public client', 2],
  ['authorization, client with a secret', 2],
] as const;

describe.skipIf(suite.file === null)('the protocol’s own conformance suite', () => {
  let reports: readonly Report[];
  beforeAll(async () => {
    reports = await runSuite();
  }, 300_000);

  it.each(required)('passes all required checks: %s', (requirements, count) => {
    const scenarios = reports.find((report) => report.requirements === requirements)?.scenarios ?? [];
    const scored = scenarios.filter(({ isRequired }) => isRequired);
    expect(scored.filter(({ failed }) => failed > 0)).toEqual([]);
    expect(scored).toHaveLength(count);
  });

  it('has its result in docs/conformance.md', async () => {
    expect(summaryIn(await readFile('docs/conformance.md', 'utf8'))).toBe(summaryOf(reports));
  });
});
