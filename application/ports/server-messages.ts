/** What one listener hears. */
export type MessageListener = Readonly<{
  /** Another server published this text. */
  heard(text: string): void;
  /** Messages may have been missed, some time before now: whatever depends on them has to be looked up. */
  missed(): void;
}>;

/**
 * Carries texts between the servers of one database. What a server publishes is heard by all others that listen at that
 * moment: once, in the order in which it was published. Nothing is stored for servers that come later.
 */
export interface ServerMessages {
  /** This server's id among those that listen: letters, digits, `-` and `_`. It is another after each start. */
  ownId(): string;
  /** Whether a server of that id listens at this moment. Rejects when that cannot be told. */
  isListening(id: string): Promise<boolean>;
  /** Publishes a text of any length to all other servers; returns at once and never throws. */
  publish(text: string): void;
  /**
   * Resolves once what was published so far is on its way to every server that listens; after a short while in any case.
   * Never rejects.
   */
  settled(): Promise<void>;
  /** Subscribes; the returned function unsubscribes. */
  listen(listener: MessageListener): () => void;
  /** Whether there can be no other server: then nothing need be published. */
  isAlone(): boolean;
  /** Whether this server is known to hear everything that is published, also by commands that run beside the servers. */
  isHearing(): boolean;
}
