import type { Report } from '#test/kit/report.ts';
import type { Result } from '#test/kit/run.ts';

/** The report as JUnit XML: a suite for each section, a case for each check. */
export function junitOf({ target, startedAt, results }: Report): string {
  const suites = [...Map.groupBy(results, ({ section }) => section)].map(([section, own]) => {
    const head = `name="${section}" ${countsOf(own)} timestamp="${startedAt}" time="${seconds(own)}"`;
    return [`  <testsuite ${head}>`, ...own.map(caseOf), '  </testsuite>'].join('\n');
  });
  const head = `name="${escaped(target)}" ${countsOf(results)} time="${seconds(results)}"`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${head}>`, ...suites, '</testsuites>', ''].join('\n');
}

function countsOf(results: readonly Result[]): string {
  const count = (isCounted: (result: Result) => boolean): number => results.filter(isCounted).length;
  const failures = count(({ outcome }) => outcome === 'failed');
  const skipped = count(({ outcome }) => outcome === 'skipped' || outcome === 'expected-failure');
  return `tests="${results.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function caseOf({ key, level, text, outcome, message, ms }: Result): string {
  const head = `    <testcase classname="${level}" name="${escaped(`${key} ${text}`)}" time="${ms / 1000}"`;
  if (outcome === 'passed') return `${head}/>`;
  const said = escaped(message ?? '');
  const inside =
    outcome === 'failed'
      ? `<failure message="${said}"/>`
      : `<skipped message="${outcome === 'skipped' ? said : `expected to fail: ${said}`}"/>`;
  return `${head}>${inside}</testcase>`;
}

function seconds(results: readonly Result[]): number {
  return results.reduce((sum, { ms }) => sum + ms, 0) / 1000;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Text for XML 1.0: without the characters that it cannot have, and lone surrogates. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '�')
    .replaceAll(/[&<>"]/g, (sign) => entities.get(sign) ?? sign)
    .replaceAll(/[\t\n\r]+/g, ' ');
}
