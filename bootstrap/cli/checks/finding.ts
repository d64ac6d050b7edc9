import { styleText } from 'node:util';

/** What a check found: good, worth a look, or wrong; and what to do next. Nothing in it is a secret. */
export type Finding = Readonly<{ mark: '✓' | '!' | '✗'; what: string; next: string | null }>;

/** All is well. */
export const good = (what: string): Finding => ({ mark: '✓', what, next: null });

/** It runs like this, and something may be missed. */
export const look = (what: string, next: string): Finding => ({ mark: '!', what, next });

/** It does not work like this. */
export const wrong = (what: string, next: string): Finding => ({ mark: '✗', what, next });

const styles = { '✓': 'green', '!': 'yellow', '✗': 'red' } as const;

/** A finding as a line; coloured on a terminal only. */
export function findingLine({ mark, what, next }: Finding): string {
  const sign = styleText([styles[mark], 'bold'], mark, { stream: process.stdout });
  return next === null ? `${sign} ${what}` : `${sign} ${what} → ${next}`;
}
