import { hash } from 'node:crypto';

/**
 * Returns the key under which failed logins of an account are counted: per browser in which it has signed in before, and
 * for all other browsers one of 65,536 that e-mails share, whether somebody has them or not. So the number of counters
 * is bounded, and a limit reached does not reveal who has an account.
 */
export function loginCounterOf(emailKey: string, knownBrowser: string | null): string {
  if (knownBrowser !== null) return `${knownBrowser} ${emailKey}`;
  return hash('sha256', emailKey, 'hex').slice(0, 4);
}
