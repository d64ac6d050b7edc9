import { type Report, suitePackage } from '#test/conformance/suite.ts';

const begin = '<!-- conformance:begin -->';
const end = '<!-- conformance:end -->';
const head = ['requirements', 'scenarios passed', 'checks passed', 'failing'];

/** What the README says about a run: how it is made, and a table with a line for each report. */
export function summaryOf(reports: readonly Report[]): string {
  const lines = [head, ...reports.map(lineOf)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const row = (line: readonly string[], fill = ' ') =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const rule = row(
    head.map(() => ''),
    '-',
  );
  const [top = head, ...rest] = lines;
  const made = `Made by \`node bootstrap/node24.mjs test/conformance/run.ts\` with ${suitePackage}.`;
  return [made, '', row(top), rule, ...rest.map((line) => row(line))].join('\n');
}

function lineOf({ requirements, scenarios }: Report): readonly string[] {
  const required = scenarios.filter(({ isRequired }) => isRequired);
  const failing = required.filter(({ failed }) => failed > 0).map(({ name }) => name);
  const checks = required.reduce((sum, { passed }) => sum + passed, 0);
  const passed = `${required.length - failing.length} of ${required.length}`;
  return [requirements, passed, String(checks), failing.join(', ') || 'none'];
}

/** What stands between the marks of a README. */
export function summaryIn(readme: string): string {
  return readme.slice(readme.indexOf(begin) + begin.length, readme.indexOf(end)).trim();
}

/** The README with that between its marks. */
export function withSummary(readme: string, summary: string): string {
  return `${readme.slice(0, readme.indexOf(begin) + begin.length)}\n\n${summary}\n\n${readme.slice(readme.indexOf(end))}`;
}
