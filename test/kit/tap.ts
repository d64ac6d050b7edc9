import type { Report } from '#test/kit/report.ts';
import type { Result } from '#test/kit/run.ts';

/** The report as TAP, version 14. An expected failure is a TODO. */
export function tapOf({ results }: Report): string {
  return ['TAP version 14', `1..${results.length}`, ...results.map(pointOf)].join('\n');
}

function pointOf({ key, text, outcome, message }: Result, index: number): string {
  const isOk = outcome === 'passed' || outcome === 'skipped';
  const said = (message ?? '').replaceAll(/\s+/g, ' ');
  const directive = outcome === 'skipped' ? ` # SKIP ${plain(said)}` : outcome === 'expected-failure' ? ' # TODO' : '';
  const line = `${isOk ? 'ok' : 'not ok'} ${index + 1} - ${plain(`${key} ${text}`)}${directive}`;
  return isOk ? line : [line, '  ---', `  message: ${JSON.stringify(said)}`, '  ...'].join('\n');
}

/** A text in which nothing begins a directive. */
function plain(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}
