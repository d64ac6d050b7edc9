import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { RemoteFailure } from '#adapters/contracts/remote-sessions.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** The codes that the SDK gives its own errors. */
const codes = { closed: -32_000, late: -32_001 };
/** The maximum length of a server's own words in a failure, in characters. */
const maxWords = 500;

/** Whether the SDK waited for an answer for too long, which ends no session. */
export function isLate(error: unknown): boolean {
  return error instanceof McpError && error.code === codes.late;
}

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
    const code = codeOf(error);
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const words = plain(line, maxWords);
    const challenge = this.#challenge;
    if (code === 401) return { reason: 'unauthorized', message: 'It refused the credentials.', sent: 'yes', challenge };
    if (code === 403) return { reason: 'forbidden', message: 'It refused access.', sent: 'yes', challenge };
    if (code === 404) return { reason: 'session_lost', message: lost, sent: 'no' };
    if (code === 429) return { reason: 'rate_limited', message: 'It is asked too often.', sent: 'yes' };
    if (error instanceof McpError) {
      if (error.code === codes.late)
        return { reason: 'unavailable', message: 'It did not answer in time.', sent: 'unknown' };
      if (error.code === codes.closed)
        return { reason: 'unavailable', message: 'It ended the connection.', sent: 'unknown' };
      return { reason: 'rejected', message: `It answered an error: ${words}`, sent: 'yes' };
    }
    if (error instanceof z.core.$ZodError)
      return { reason: 'rejected', message: 'It answered something that the protocol does not have.', sent: 'yes' };
    if (error instanceof TypeError || isOfNetwork(code))
      return { reason: 'unavailable', message: 'It could not be reached.', sent: 'unknown' };
    return { reason: 'unavailable', message: `It could not be used: ${words}`, sent: 'unknown' };
  }
}

const lost = 'There is no MCP server at its address, or it has forgotten the session.';

/** The status of an HTTP error, which one of the transports only has in its message, or the code of another error. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  const status = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  return 'code' in error ? error.code : status === undefined ? null : Number(status);
}

/** Whether an error is of the operating system: a program that does not exist, a connection that is refused. */
function isOfNetwork(code: unknown): boolean {
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
