import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { RemoteFailure } from '#adapters/contracts/remote-sessions.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** The codes that the SDK gives its own errors. */
const codes = { closed: -32_000, late: -32_001 };
/** The maximum length of a server's own words in a failure, in characters. */
const maxWords = 500;

/** What went wrong in a session, for the words of its failures. */
export class SessionTrouble {
  #challenge: string | undefined;
  #ended: RemoteFailure | null = null;

  /** Notes what a 401 or 403 said. */
  challenged(challenge: string): void {
    this.#challenge = challenge;
  }

  /** Notes why the session was ended by us: calls that wait fail with it. */
  ended(failure: RemoteFailure): void {
    this.#ended ??= failure;
  }

  /** Converts what the SDK throws. */
  failureOf(error: unknown): RemoteFailure {
    if (this.#ended !== null) return this.#ended;
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const words = plain(error instanceof Error ? error.message : String(error), maxWords);
    const challenge = this.#challenge;
    if (code === 401) return { reason: 'unauthorized', message: 'It refused the credentials.', sent: 'yes', challenge };
    if (code === 403) return { reason: 'forbidden', message: 'It refused access.', sent: 'yes', challenge };
    if (code === 429) return { reason: 'rate_limited', message: 'It is asked too often.', sent: 'yes' };
    if (error instanceof McpError) {
      if (error.code === codes.late)
        return { reason: 'unavailable', message: 'It did not answer in time.', sent: 'unknown' };
      if (error.code === codes.closed)
        return { reason: 'unavailable', message: 'It ended the connection.', sent: 'unknown' };
      return { reason: 'rejected', message: `It answered an error: ${words}`, sent: 'yes' };
    }
    if (error instanceof TypeError || isOfNetwork(code))
      return { reason: 'unavailable', message: 'It could not be reached.', sent: 'unknown' };
    return { reason: 'unavailable', message: `It could not be used: ${words}`, sent: 'unknown' };
  }
}

/** Whether an error is of the operating system: a program that does not exist, a connection that is refused. */
function isOfNetwork(code: unknown): boolean {
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
