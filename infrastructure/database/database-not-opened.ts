import { DatabaseUnavailable, sentenceOf } from '#infrastructure/database/database-unavailable.ts';
import { sqliteError } from '#infrastructure/database/sqlite-errors.ts';

/**
 * Thrown when the database cannot be opened; the message contains its URL without the password, the cause and the
 * remedy.
 */
export class DatabaseNotOpened extends Error {
  /** `why` is a sentence without its full stop, or the error that was thrown. */
  constructor(url: string, why: unknown) {
    super(`The database ${withoutPassword(url)} cannot be opened: ${wordsFor(url, why)}.`, { cause: why });
    this.name = 'DatabaseNotOpened';
  }
}

/** Masks the password in a database URL, for messages. */
export function withoutPassword(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:***@');
}

function wordsFor(url: string, why: unknown): string {
  if (typeof why === 'string') return why;
  const error = sqliteError(why);
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof DatabaseUnavailable)) return error.message.replace(/\.$/, '');
  if (error.reason !== 'damaged') return `${sentenceOf(error.reason)} (${error.driverMessage})`;
  const detail = error.driverMessage.replaceAll(/\s+/g, ' ');
  const path = url.replace(/^sqlite:/, '');
  return `it is damaged (${detail}). Move ${path} and its -wal and -shm files away, put a copy from a backup in its place, and start again`;
}
