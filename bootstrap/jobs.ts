import type { Container } from 'inversify';
import { tokens } from '#bootstrap/tokens.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the background job looks for tokens that are due, in ms. What is due is the domain's word. */
const renewalPeriodMs = 60_000;

/** Starts what runs in the background; the function it gives back stops it, and waits for what is under way. */
export function startJobs(container: Container): () => Promise<void> {
  const logger = container.get(tokens.logger);
  const worker = container.get(tokens.inboxWorker);
  const renewDueTokens = container.get(tokens.renewDueTokens);
  worker.start();
  const renewal = every(
    renewalPeriodMs,
    async () => {
      const renewed = await renewDueTokens.run();
      if (renewed > 0) logger.info({ renewed }, 'Tokens were renewed before they expire');
    },
    (error) => logger.error({ err: error }, 'The renewal of tokens failed; it is tried again'),
  );
  return async () => {
    await worker.stop();
    await renewal.stop();
  };
}
