import { styleText } from 'node:util';

/** The result of a check: good, a warning, or wrong; and what to do next. It contains no secret. */
export type Finding = Readonly<{ mark: '✓' | '!' | '✗'; what: string; next: string | null }>;

/** A finding without a problem. */
export const good = (what: string): Finding => ({ mark: '✓', what, next: null });

/** A warning: the server runs like this, but something may be missed. */
export const look = (what: string, next: string): Finding => ({ mark: '!', what, next });

/** A problem: the server does not work like this. */
export const wrong = (what: string, next: string): Finding => ({ mark: '✗', what, next });

const styles = { '✓': 'green', '!': 'yellow', '✗': 'red' } as const;

/** Prints a finding as a line; coloured on a terminal only. */
export function findingLine({ mark, what, next }: Finding): string {
  const sign = styleText([styles[mark], 'bold'], mark, { stream: process.stdout });
  return next === null ? `${sign} ${what}` : `${sign} ${what} → ${next}`;
}
