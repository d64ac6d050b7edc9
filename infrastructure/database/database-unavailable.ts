import { DriverException } from '@mikro-orm/core';

/**
 * Why a database is unavailable: `full` disk, `locked` by another process, `read_only`, `damaged` file, `broken`
 * storage (I/O error), `unreachable`, `busy` with other searches, or a file that is `gone` or `replaced` since it was opened.
 */
export type UnavailableReason =
  | 'full'
  | 'locked'
  | 'read_only'
  | 'damaged'
  | 'broken'
  | 'unreachable'
  | 'busy'
  | 'gone'
  | 'replaced';

const sentences: Readonly<Record<UnavailableReason, string>> = {
  full: 'its disk is full. Free some space',
  locked: 'another process holds its lock. End that process, or wait for it',
  read_only: 'it may not be written. Give the user of the server the right to write it and its folder',
  damaged: 'it is damaged. Stop the server and put a copy from a backup in its place',
  broken: 'its disk fails. Check the disk',
  unreachable: 'it does not answer. Start it, or check DATABASE_URL',
  busy: 'too many searches read it at once. Try again in a minute',
  gone: 'its file no longer exists: it was deleted or moved, or its disk is not mounted. Put it back, and the server continues automatically',
  replaced:
    'its file was replaced by another. Put the original back, and the server continues automatically; or restart the server to use the new file',
};

/** Returns the reason for operators, as the end of a sentence about the database. */
export function sentenceOf(reason: UnavailableReason): string {
  return sentences[reason];
}

/** Returns the reason as a sentence that names neither the driver nor the database's location. */
export function publicText(reason: UnavailableReason): string {
  return `The database cannot be used: ${sentences[reason]}.`;
}

/**
 * Thrown when the database is temporarily unavailable: the statement was valid and may succeed later. Interfaces answer
 * it with `unavailableText`; `message` is for the log. Extends one of the ORM's exceptions because the ORM wraps all
 * others.
 */
export class DatabaseUnavailable extends DriverException {
  readonly reason: UnavailableReason;
  /** The driver's message. */
  readonly driverMessage: string;

  constructor(reason: UnavailableReason, cause: Error) {
    super(cause);
    this.reason = reason;
    this.driverMessage = cause.message;
    this.message = `The database cannot be used: ${sentences[reason]} (${cause.message})`;
  }
}

/** The message for clients, without details of the driver or the database's location. */
export const unavailableText =
  'The server cannot use its database at the moment. It continues automatically when the database is available; try again in a few seconds.';

/** The seconds after which clients should retry. */
export const retryAfterS = 5;
