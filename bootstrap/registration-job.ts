import type { Container } from 'inversify';
import { tokens } from '#bootstrap/tokens.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the webhooks are checked, in ms. Most of the times nothing is, and no provider is asked. */
const periodMs = 60_000;

/**
 * Makes the providers' webhooks what they should be, from the start on: a renewal that a stop made it miss is caught up with. The
 * function it gives back stops it, and waits for the one step that is under way.
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
