import type { Container } from 'inversify';
import { Notify } from '#application/notifications/notify.ts';
import { SendNotifications } from '#application/notifications/send-notifications.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often notifications that are due are looked for, in ms; one that this server adds is sent at once. */
const sendingPeriodMs = 5_000;

/** Sends notifications in the background, if there is a way; the returned function stops it, and breaks off attempts. */
export function startNotificationJob(container: Container): () => Promise<void> {
  const notify = container.get(Notify);
  if (!notify.isOn) return async () => undefined;
  const logger = container.get(tokens.logger);
  const sender = container.get(SendNotifications);
  const stop = new AbortController();
  const sending = every(
    sendingPeriodMs,
    container.get(Storage).unlessAway(() => sender.run(stop.signal), 'database'),
    (error) => logger.error({ err: error }, 'Notifications could not be sent; will retry'),
  );
  notify.listen(() => sending.wake());
  return async () => {
    notify.listen(() => undefined);
    stop.abort();
    await sending.stop();
  };
}
