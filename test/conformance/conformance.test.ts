import { describe, expect, it } from 'vitest';
import { revisions, runRevision, whyNoSuite } from '#test/conformance/suite.ts';

const reason = await whyNoSuite();
if (reason !== null) process.stderr.write(`Skipped: ${reason}\n`);

/** How many scenarios each revision requires of a server, as the suite's requirement files list them. */
const required = { '2025-11-25': 30, '2026-07-28': 37 };

describe.skipIf(reason !== null)('the protocol’s own conformance suite', () => {
  it.each(revisions)('passes all that %s requires', { timeout: 240_000 }, async (revision) => {
    const { scenarios } = await runRevision(revision);
    const scored = scenarios.filter(({ isRequired }) => isRequired);
    expect(scored.filter(({ failed }) => failed > 0)).toEqual([]);
    expect(scored).toHaveLength(required[revision]);
  });
});
