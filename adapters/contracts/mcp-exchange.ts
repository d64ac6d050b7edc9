import type { User } from '#domain/users/user.ts';

/** An event stream to one client. */
export interface EventLine {
  /** Sends an event; false when the stream is closed. */
  send(event: string, data: string): boolean;
  /** Closes the stream after everything that was sent. */
  end(): void;
  /** Calls back once when the stream is closed, for whatever reason. */
  onClose(run: () => void): void;
}

/** A message received over HTTP from an authenticated user. Header names are lower-cased. */
export type MessageExchange = Readonly<{
  user: User;
  /** The path that it was posted to, which is the protected resource. */
  path: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  query: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
  /** Starts answering with an event stream; the answer of `message` is then null. */
  openStream(): EventLine;
  /** Calls back when the client has disconnected or the answer has been sent. */
  onClose(run: () => void): void;
}>;

/** The user and request that open a stream or end a session. */
export type StreamRequest = Pick<MessageExchange, 'user' | 'headers' | 'query'>;

/** An HTTP response. `sessionId` becomes the Mcp-Session-Id header. */
export type MessageAnswer = Readonly<{
  status: number;
  /** The body: a string, or a string followed by prebuilt bytes; null for an empty body. */
  json: string | Readonly<{ head: string; rest: Buffer }> | null;
  retryAfterS?: number;
  sessionId?: string;
  /** The Allow header of a 405. */
  allow?: string;
  /** The WWW-Authenticate header of a 403. */
  challenge?: string;
}>;

/** The MCP endpoint behind the HTTP routes; an answer of null was sent on the stream. */
export interface MessageEndpoint {
  /** The maximum size of a message's body in bytes (EDGE-011). */
  readonly maxMessageBytes: number;
  message(exchange: MessageExchange): Promise<MessageAnswer | null>;
  openStream(request: StreamRequest, openLine: () => EventLine): MessageAnswer | null;
  openSessionStream(request: StreamRequest, openLine: () => EventLine): Promise<MessageAnswer | null>;
  endSession(request: StreamRequest): Promise<MessageAnswer>;
}
