import type { Container } from 'inversify';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { isWithin } from '#domain/reaction-notes/filled-path.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the folder of reactions is read in the absence of observed changes, in ms. */
const readingPeriodMs = 60_000;
/** How often schedules are checked, in ms. */
const schedulePeriodMs = 10_000;

/**
 * Reads the reactions at start, when one of their notes changes, and every minute; the returned function stops this.
 */
export function startReactionJob(container: Container): () => Promise<void> {
  const book = container.get(tokens.reactionBook);
  const schedules = container.get(tokens.runSchedules);
  if (book === null || schedules === null) return async () => undefined;
  const logger = container.get(tokens.logger);
  const storage = container.get(Storage);
  const { settings } = container.get(tokens.runtime);
  const looking = every(
    schedulePeriodMs,
    storage.unlessAway(() => schedules.run()),
    (error) => logger.error({ err: error }, 'The schedules of reactions could not be read; will retry'),
  );
  const unread = (error: unknown) => logger.error({ err: error }, 'The reactions could not be read; will retry');
  // A new schedule starts at the time it is first seen.
  const readBy = (read: () => Promise<unknown>) => storage.unlessAway(() => read().then(() => looking.wake()));
  const reading = every(
    readingPeriodMs,
    readBy(() => book.load()),
    unread,
  );
  const readChanged = readBy(() => book.noteChanged());
  let changed: Promise<void> = Promise.resolve();
  const forget = container.get(tokens.noteChanges).listen(({ userId, path }) => {
    if (userId !== null && userId !== settings.AUTOMATION_USER_ID) return;
    if (isWithin(settings.REACTIONS_FOLDER, path)) changed = readChanged().catch(unread);
  });
  return async () => {
    forget();
    await Promise.all([reading.stop(), changed, looking.stop()]);
    await book.idle();
  };
}
