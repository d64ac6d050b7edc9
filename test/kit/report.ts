import { type Clause, keyOf, modesOf } from '#test/kit/clause.ts';
import { notFromOutside } from '#test/kit/not-from-outside.ts';
import type { Outcome, Result } from '#test/kit/run.ts';

/** What several failures have in common, and their checks. */
export type Cause = Readonly<{ cause: string; checks: readonly string[] }>;

/** A run: its target, its results, the config’s expected failures, and the checks that were left out because of the target’s modes. */
export type Run = Readonly<{
  target: string;
  startedAt: Date;
  results: readonly Result[];
  expected: readonly string[];
  otherModes?: readonly Clause[];
}>;

/** The results of a run, as `--report` writes them. */
export type Report = Readonly<{
  target: string;
  startedAt: string;
  counts: Readonly<Record<Outcome | 'clauses', number>>;
  /** Expected failures that passed, to be removed from the list. */
  unexpectedPasses: readonly string[];
  /** The checks that failed, by what they have in common; those of most checks first. */
  causes: readonly Cause[];
  /** The checks that hold in other modes than the target’s, which were not run. */
  otherModes: readonly Readonly<{ key: string; modes: string }>[];
  /** The clauses of every server that cannot be seen from outside, and why. */
  notFromOutside: readonly Readonly<{ id: string; reason: string }>[];
  results: readonly Result[];
}>;

/** Builds the report of a run. */
export function reportOf({ target, startedAt, results, expected, otherModes = [] }: Run): Report {
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
    causes: causesOf(results),
    otherModes: otherModes.map((clause) => ({ key: keyOf(clause), modes: modesOf(clause) })),
    notFromOutside,
    results,
  };
}

function causesOf(results: readonly Result[]): readonly Cause[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  return [...Map.groupBy(failed, ({ cause }) => cause ?? '')]
    .map(([cause, of]) => ({ cause, checks: of.map(({ key }) => key) }))
    .toSorted((one, other) => other.checks.length - one.checks.length);
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
  const causes = report.causes.map(({ cause, checks }) => `${checks.length}: ${cause}\n    ${checks.join(', ')}`);
  const unseen = report.notFromOutside.map(({ id, reason }) => `${id}  ${reason}`);
  const others = [...Map.groupBy(report.otherModes, ({ modes }) => modes)].map(
    ([modes, of]) => `${of.length} with ${modes}\n    ${of.map(({ key }) => key).join(', ')}`,
  );
  const skipped = skippedByReason(results);
  return [
    head,
    ...lines,
    total,
    ...block('Failed', failed),
    ...(failed.length > 1 ? block('Causes of the failures', causes) : []),
    ...block('Skipped', skipped),
    ...block('Not run in these modes', others),
    ...block('Not visible from outside', unseen),
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
