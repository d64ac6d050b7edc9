import { z } from 'zod';
import type { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { vaultPathOf } from '#domain/notes/vault-path.ts';

const topic = 'notes';
const messageSchema = z.object({ path: z.string() });

/**
 * Publishes a write to the other servers that share the folder, since file system events reach only the machine that
 * wrote.
 */
export function tellOfWrite(others: OtherServers, path: string): void {
  if (!others.isAlone()) others.publish(topic, { path });
}

/** Refreshes the index for each file that another server writes; returns a function that stops this. */
export function followWrites(
  others: OtherServers,
  keeper: Pick<IndexKeeper, 'look' | 'rebuild'>,
  logger: Logger,
): () => void {
  const stopHearing = others.subscribe(topic, (body) => {
    const message = messageSchema.safeParse(body);
    const place = message.success ? vaultPathOf(message.data.path) : null;
    if (place?.ok === true) keeper.look(place.value.path);
  });
  const stopMissing = others.onMissed(() => {
    keeper.rebuild().catch((error: unknown) => logger.error({ err: error }, 'The vault could not be read'));
  });
  return () => {
    stopHearing();
    stopMissing();
  };
}
