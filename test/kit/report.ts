import type { Outcome, Result } from '#test/kit/run.ts';

/** The results of a run, as `--report` writes them. */
export type Report = Readonly<{
  target: string;
  startedAt: string;
  counts: Readonly<Record<Outcome | 'clauses', number>>;
  /** Expected failures that passed, to be removed from the list. */
  unexpectedPasses: readonly string[];
  results: readonly Result[];
}>;

/** Builds a report. `expected` are the config's expected failures. */
export function reportOf(
  target: string,
  startedAt: Date,
  results: readonly Result[],
  expected: readonly string[],
): Report {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  const namedBy = (name: string) => results.filter(({ key }) => key === name || key.startsWith(`${name}/`));
  return {
    target,
    startedAt: startedAt.toISOString(),
    counts: {
      clauses: new Set(results.map(({ key }) => key.split('/')[0])).size,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      'expected-failure': count('expected-failure'),
    },
    unexpectedPasses: expected.filter((name) => {
      const named = namedBy(name);
      return named.length > 0 && named.every(({ outcome }) => outcome === 'passed');
    }),
    results,
  };
}

/** Whether exactly the expected failures failed. */
export function isGood({ counts, unexpectedPasses }: Report): boolean {
  return counts.failed === 0 && unexpectedPasses.length === 0;
}

/** The report for a terminal: a line for each section, then what failed and what was skipped, and why. */
export function tableOf(report: Report): string {
  const { results, counts, unexpectedPasses } = report;
  const sections = [...new Set(results.map(({ section }) => section))];
  const head = row('section', 'passed', 'failed', 'skipped', 'expected');
  const lines = sections.map((section) => {
    const own = results.filter((result) => result.section === section);
    const count = (outcome: Outcome): string => String(own.filter((result) => result.outcome === outcome).length);
    return row(section, count('passed'), count('failed'), count('skipped'), count('expected-failure'));
  });
  const total = row(
    'all',
    String(counts.passed),
    String(counts.failed),
    String(counts.skipped),
    String(counts['expected-failure']),
  );
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(described);
  const skipped = skippedByReason(results);
  return [
    head,
    ...lines,
    total,
    ...block('Failed', failed),
    ...block('Skipped', skipped),
    ...block('Expected to fail, and passed: take them off expectedFailures', unexpectedPasses),
    '',
    `${results.length} checks of ${counts.clauses} clauses at ${report.target}`,
  ].join('\n');
}

function described({ key, text, message }: Result): string {
  return `${key}  ${text}\n    ${message ?? ''}`;
}

function skippedByReason(results: readonly Result[]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { outcome, message, key } of results) {
    if (outcome !== 'skipped') continue;
    const keys = reasons.get(message ?? '') ?? [];
    reasons.set(message ?? '', [...keys, key]);
  }
  return [...reasons].map(([reason, keys]) => `${keys.length}: ${reason}\n    ${keys.join(', ')}`);
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title} (${lines.length})`, ...lines.map((line) => `  ${line}`)];
}

function row(first: string, ...others: readonly string[]): string {
  return `${first.padEnd(10)}${others.map((text) => text.padStart(10)).join('')}`;
}
