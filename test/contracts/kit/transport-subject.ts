import type { Message } from '#test/contracts/kit/transport-client.ts';

/** A raw client of the transport, which sends messages unchanged. */
export type TransportClient = Readonly<{
  /** Sends one message, JSON or not; resolves when it has been sent. */
  send(text: string): Promise<void>;
  /**
   * All messages received, in order. A rejection by the transport itself, such as an HTTP status without a message, is an error with
   * the id null.
   */
  readonly received: readonly Message[];
  /** Calls back with each message from now on; the returned function unsubscribes. */
  onMessage(run: (message: Message) => void): () => void;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  /** Disconnects abruptly. */
  close(): Promise<void>;
}>;

/** A server that listens on the transport, for one user. */
export type OpenTransport = Readonly<{
  /** Connects a client; it has sent nothing yet. */
  connect(): Promise<TransportClient>;
  /** Invalidates the user's sign-in. */
  revoke(): Promise<void>;
  /** Changes the user's tools. */
  changeTools(): Promise<void>;
  /** Stops the server; calls in flight may finish within `maxWaitMs`. */
  stop(maxWaitMs: number): Promise<void>;
}>;
