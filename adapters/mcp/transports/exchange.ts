import type { Json } from '#adapters/mcp/protocol/messages.ts';
import type { User } from '#domain/users/user.ts';

/** A stream of events to one client. */
export interface EventLine {
  /** Sends an event; false when the line is closed. */
  send(event: string, data: string): boolean;
  /** Closes the line after what was sent. */
  end(): void;
  /** Calls back once, when the line is closed for whatever reason. */
  onClose(run: () => void): void;
}

/** A message received by HTTP, from an authenticated user. Header names are in lower case. */
export type MessageExchange = Readonly<{
  user: User;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  query: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
  /** Answers as a stream of events from now on; the answer of `message` is then null. */
  openStream(): EventLine;
  /** Calls back when the client has disconnected or the answer is out. */
  onClose(run: () => void): void;
}>;

/** An answer for HTTP: `json` is the body, null for an empty one; `sessionId` goes into the header Mcp-Session-Id. */
export type MessageAnswer = Readonly<{
  status: number;
  json: Json | null;
  retryAfterS?: number;
  sessionId?: string;
  /** The header Allow of a 405. */
  allow?: string;
}>;

/** Builds an answer with a JSON-RPC message. */
export const answer = (status: number, json: Json | null): MessageAnswer => ({ status, json });
