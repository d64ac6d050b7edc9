/**
 * Stores the secrets that providers choose for the webhooks registered with them, by receiver ('signing/pandadoc'),
 * encrypted at rest.
 */
export interface WebhookKeys {
  /** The secrets of a receiver as last read, the current one first; none before they are read. */
  of(receiver: string): readonly string[];
  /** Reads a receiver's secrets again, at most every five seconds; true when they are others than before. */
  reload(receiver: string): Promise<boolean>;
  /** Stores a secret as a receiver's current one. Some former ones are kept, for deliveries under way. */
  keep(receiver: string, secret: string): Promise<void>;
}
