/** Talks to the other servers of the same database, in messages that nobody else can read or write. */
export interface OtherServers {
  /** This server's id among them: letters, digits, `-` and `_`. It is another after each start. */
  readonly serverId: string;
  /** Whether there can be no other server. */
  isAlone(): boolean;
  /** Whether the server of that id hears others at this moment, or that cannot be told. Never rejects. */
  isThere(id: string): Promise<boolean>;
  /** Whether this server is known to hear every change that is published. */
  isHearing(): boolean;
  /** Sends a message of plain data to all others, or to the one with the id `to`. Returns at once and never throws. */
  tell(topic: string, body: object, to?: string): void;
  /** Resolves once what was published so far is on its way to all who hear it; after a short while in any case. Never rejects. */
  settled(): Promise<void>;
  /** Hears the messages of a topic; `body` has the shape that its sender gave it. The returned function unsubscribes. */
  hear(topic: string, listener: (body: unknown, from: string) => void): () => void;
  /** Calls back when messages may have been missed. The returned function unsubscribes. */
  onMissed(run: () => void): () => void;
}

/** A server that is the only one. */
export const noOtherServers: OtherServers = {
  serverId: 'alone',
  isAlone: () => true,
  isThere: async () => false,
  isHearing: () => false,
  tell: () => undefined,
  settled: async () => undefined,
  hear: () => () => undefined,
  onMissed: () => () => undefined,
};
