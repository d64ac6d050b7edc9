/** A subscriber to the messages of other servers. */
export type MessageListener = Readonly<{
  /** Another server published this text. */
  heard(text: string): void;
  /** Messages may have been missed at some time before now: reload whatever depends on them. */
  missed(): void;
}>;

/**
 * Publishes texts between the servers of one database. All other servers that are listening receive each text once, in
 * the order in which its publisher sent them. Nothing is stored for servers that start later.
 */
export interface ServerMessages {
  /** This server's id among the listeners: letters, digits, `-` and `_`. A new one is generated at each start. */
  ownId(): string;
  /**
   * Whether the server with that id has certainly ended: it does not listen, and nothing of it has arrived for some
   * seconds. False while this server does not hear the others. May reject.
   */
  isGone(id: string): Promise<boolean>;
  /** Publishes a text of any length to all other servers; returns immediately and never throws. */
  publish(text: string): void;
  /**
   * Resolves once everything published so far has been sent to every listening server, or after a short timeout. Never
   * rejects.
   */
  settled(): Promise<void>;
  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: MessageListener): () => void;
  /** Whether this is certainly the only server, so that nothing need be published. */
  isAlone(): boolean;
  /**
   * Whether this server is known to receive everything that is published, including by commands that run beside the
   * servers.
   */
  isHearing(): boolean;
}
