import type { Stores } from '#adapters/contracts/stores.ts';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { volatile } from '#bootstrap/stores/transient-stores.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** The options of messages between servers; `database` is null when there is none. */
type MessagesOptions = Readonly<{
  settings: Settings;
  database: Database | null;
  logger: Logger;
  /** Whether this process listens; otherwise it only publishes. */
  hears: boolean;
}>;

/**
 * Opens the messages between servers: over PostgreSQL, or a no-op for a single server. Throws `DatabaseNotOpened` when
 * the listening connection cannot be opened.
 */
export async function openMessages({
  settings,
  database,
  logger,
  hears,
}: MessagesOptions): Promise<Stores['serverMessages']> {
  if (database?.kind !== 'postgres') return Object.assign(new MemoryServerMessages(), volatile);
  // Loaded on demand: the driver would cost memory and time at each start.
  const { PostgresMessages } = await import('#adapters/persistence/postgres-messages.ts');
  const url = settings.DATABASE_DIRECT_URL ?? settings.databaseUrl;
  const messages = new PostgresMessages({ database, url, serverId: systemRandom.token(9), logger });
  try {
    if (hears) await messages.open();
  } catch (error) {
    await messages.close();
    throw new DatabaseNotOpened(url, error);
  }
  return messages;
}
