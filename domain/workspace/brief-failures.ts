import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { BriefRecord } from '#domain/workspace/brief-subject.ts';
import { recordKey } from '#domain/workspace/found-record.ts';

/** The maximum number of candidates that are named. */
const maxNamed = 10;

/** The failure of a text that several records fit: each is named, with what to give instead. */
export function ambiguousSubject(about: string, candidates: readonly BriefRecord[]): Failure {
  return failed(
    'invalid_input',
    `"${about}" fits ${candidates.length} records; give one of these as \`about\`: ${named(candidates)}.`,
  );
}

/** The failure of a text that no record fits: those that resemble it are named, and the services that did not answer. */
export function unknownSubject(
  about: string,
  found: readonly BriefRecord[],
  unanswered: readonly Readonly<{ message: string }>[],
): Failure {
  const near = found.filter(({ kind }) => ['organization', 'person', 'deal', 'lead'].includes(kind));
  const similar = near.length === 0 ? '' : ` Similar are: ${named(near)}.`;
  const silent = unanswered.map(({ message }) => ` Not everything was searched: ${message}`).join('');
  return failed('not_found', `There is no company, person or deal "${about}".${similar}${silent}`);
}

function named(records: readonly BriefRecord[]): string {
  const texts = records.slice(0, maxNamed).map(
    (one) =>
      `${recordKey(one)} (${[one.title, one.state]
        .filter((part) => part !== null)
        .join(', ')
        .slice(0, 120)})`,
  );
  const left = records.length - texts.length;
  return [...texts, ...(left === 0 ? [] : [`and ${left} more`])].join('; ');
}
