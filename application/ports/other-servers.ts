/** Exchanges authenticated, encrypted messages with the other servers that share the database. */
export interface OtherServers {
  /** This server's id among them: letters, digits, `-` and `_`. A new one is generated at each start. */
  readonly serverId: string;
  /** Whether this is certainly the only server. */
  isAlone(): boolean;
  /** Whether the server with that id has certainly ended; false while that is not known. Never rejects. */
  isGone(id: string): Promise<boolean>;
  /** Whether this server is known to receive every message that is published. */
  isHearing(): boolean;
  /**
   * Publishes plain data to all other servers, or only to the one with the id `to`. Returns immediately and never
   * throws.
   */
  publish(topic: string, body: object, to?: string): void;
  /** Resolves once everything published so far has been sent, or after a short timeout. Never rejects. */
  settled(): Promise<void>;
  /** Subscribes to a topic's messages; `body` is unvalidated. Returns a function that unsubscribes. */
  subscribe(topic: string, listener: (body: unknown, from: string) => void): () => void;
  /** Subscribes to gaps: called when messages may have been missed. Returns a function that unsubscribes. */
  onMissed(run: () => void): () => void;
}

/** The implementation for a server that is the only one. */
export const noOtherServers: OtherServers = {
  serverId: 'alone',
  isAlone: () => true,
  isGone: async () => true,
  isHearing: () => false,
  publish: () => undefined,
  settled: async () => undefined,
  subscribe: () => () => undefined,
  onMissed: () => () => undefined,
};
