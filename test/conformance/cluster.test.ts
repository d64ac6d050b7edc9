import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Report, runSuiteOnCluster, suite } from '#test/conformance/suite.ts';
import { isLong } from '#test/support/form.ts';
import { reportSkipped } from '#test/support/network/fetched-command.ts';
import { startPostgres, type TestPostgres } from '#test/support/persistence/postgres.ts';

reportSkipped(suite);

const required = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

describe.skipIf(suite.file === null || !isLong)(
  'the conformance suite, each request to the next of three servers',
  () => {
    let reports: readonly Report[];
    let postgres: TestPostgres;
    beforeAll(async () => {
      const started = await startPostgres();
      if (typeof started === 'string') throw new Error(started);
      postgres = started;
      reports = await runSuiteOnCluster(postgres.url);
    }, 600_000);
    afterAll(() => postgres?.stop());

    it.each(required)('passes all required checks: %s (MCP-026)', (requirements, count) => {
      const scenarios = reports.find((report) => report.requirements === requirements)?.scenarios ?? [];
      const scored = scenarios.filter(({ isRequired }) => isRequired);
      expect(scored.filter(({ failed }) => failed > 0)).toEqual([]);
      expect(scored).toHaveLength(count);
    });
  },
);
