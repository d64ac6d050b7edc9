import type { Message } from '#test/contracts/kit/transport-client.ts';

/** A client of the transport, which sends what it is given as it is. */
export type TransportClient = Readonly<{
  /** Sends one message, JSON or not; resolves when it is on its way. */
  send(text: string): Promise<void>;
  /**
   * All messages that have come, in their order. A refusal of the transport itself, such as a status of HTTP without a
   * message, stands there as an error under the id null.
   */
  readonly received: readonly Message[];
  /** Calls back with each message that comes from now on; the returned function ends that. */
  onMessage(run: (message: Message) => void): () => void;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  /** Disconnects without a farewell. */
  close(): Promise<void>;
}>;

/** A server that is open on the transport, for one user. */
export type OpenTransport = Readonly<{
  /** Connects a client that has sent nothing yet. */
  connect(): Promise<TransportClient>;
  /** Makes the user's sign-in count no more. */
  revoke(): Promise<void>;
  /** Changes the tools that the user has. */
  changeTools(): Promise<void>;
  /** Stops the server: what runs may end within `maxWaitMs`. */
  stop(maxWaitMs: number): Promise<void>;
}>;
