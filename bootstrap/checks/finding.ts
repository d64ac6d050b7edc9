import { styleText } from 'node:util';

/** The result of a check: passed, warning or failed; and what to do next. Contains no secrets. */
export type Finding = Readonly<{ mark: '✓' | '!' | '✗'; what: string; next: string | null }>;

/** Creates a finding for a check that passed. */
export const good = (what: string): Finding => ({ mark: '✓', what, next: null });

/** Creates a warning: the server runs like this, but something may not work as intended. */
export const look = (what: string, next: string): Finding => ({ mark: '!', what, next });

/** Creates a finding for a problem: the server does not work like this. */
export const wrong = (what: string, next: string): Finding => ({ mark: '✗', what, next });

const styles = { '✓': 'green', '!': 'yellow', '✗': 'red' } as const;

/** Formats a finding as one line; coloured on a terminal only. */
export function findingLine({ mark, what, next }: Finding): string {
  const sign = styleText([styles[mark], 'bold'], mark, { stream: process.stdout });
  return next === null ? `${sign} ${what}` : `${sign} ${what} → ${next}`;
}
