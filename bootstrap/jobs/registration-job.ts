import type { Container } from 'inversify';
import { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the webhook registrations are checked, in ms. Usually nothing is due, and no provider is called. */
const periodMs = 60_000;

/**
 * Reconciles the providers' webhooks with the desired ones from the start on, so that a renewal missed while the server
 * was down is caught up. The returned function stops the job and waits for the step in progress.
 */
export function startRegistrationJob(container: Container): () => Promise<void> {
  const ending = new AbortController();
  const logger = container.get(tokens.logger);
  const reconcile = container.get(ReconcileRegistrations);
  const repetition = every(
    periodMs,
    container.get(Storage).unlessAway(() => reconcile.run(ending.signal), 'database'),
    (error) => logger.error({ err: error }, "The providers' webhooks could not be checked; will retry"),
  );
  return async () => {
    ending.abort();
    await repetition.stop();
  };
}
