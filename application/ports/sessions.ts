import type { PersonSession } from '#domain/sessions/person-session.ts';

/** Stores the sessions of persons who signed in. Removing one ends it, wherever its cookie was copied to. */
export interface Sessions {
  /** Stores a new session by its id. */
  begin(session: PersonSession): Promise<void>;
  /** Returns the session, expired or not; null when it is unknown or has ended. */
  find(id: string): Promise<PersonSession | null>;
  /** Lists a user's sessions, the latest first. */
  list(userId: number): Promise<readonly PersonSession[]>;
  /** Moves the end of a session to this time (Unix ms), never back. No-op for one that is unknown or has ended. */
  extend(id: string, expiresAt: number): Promise<void>;
  /** Records a use at this time (Unix ms); never moves the recorded time back. No-op for one that is unknown or has ended. */
  noteSeen(id: string, at: number): Promise<void>;
  /** Ends a session of the user; false when the user has none with that id. */
  end(userId: number, id: string): Promise<boolean>;
  /** Ends all sessions of a user, and returns their number. */
  endAll(userId: number): Promise<number>;
  /** Removes all sessions that expired before this time (Unix ms) and returns their number. */
  prune(before: number): Promise<number>;
}
