import type { Container } from 'inversify';
import { tokens } from '#bootstrap/tokens.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the webhooks are checked, in ms. Mostly nothing is due, and no provider is asked. */
const periodMs = 60_000;

/**
 * Aligns the providers' webhooks with the desired ones, from the start on: a renewal missed during a stop is caught up. The
 * returned function stops it, and waits for the one step that is under way.
 */
export function startRegistrationJob(container: Container): () => Promise<void> {
  const ending = new AbortController();
  const logger = container.get(tokens.logger);
  const reconcile = container.get(tokens.reconcileRegistrations);
  const repetition = every(
    periodMs,
    async () => {
      await reconcile.run(ending.signal);
    },
    (error) => logger.error({ err: error }, "The providers' webhooks could not be checked; it is tried again"),
  );
  return async () => {
    ending.abort();
    await repetition.stop();
  };
}
