import type { Container } from 'inversify';
import { tokens } from '#bootstrap/modules/tokens.ts';
import type { OpenStores } from '#bootstrap/stores/open-stores.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { publicText } from '#infrastructure/database/database-unavailable.ts';

/**
 * Checks the database file beside the running server, once, if the start did not check all of it. A damaged one is a
 * trouble of the storage from then on: a delivery that is acknowledged into it may be lost (RUN-032). The returned
 * function stops the check.
 */
export function startIntegrityJob(container: Container, stores: Pick<OpenStores, 'checkIntegrity'>): () => void {
  const ending = new AbortController();
  const logger = container.get(tokens.logger);
  const check = async () => {
    try {
      const damage = await stores.checkIntegrity(ending.signal);
      if (damage === null) return;
      const trouble = { text: publicText('damaged'), detail: damage };
      container.get(Storage).add({ name: 'integrity', look: () => trouble });
    } catch (error) {
      if (!ending.signal.aborted) logger.warn({ err: error }, 'The database file could not be checked');
    }
  };
  void check();
  return () => ending.abort();
}
