import type { Container } from 'inversify';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { ProbeRejected } from '#application/connections/probe-rejected.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { startNotificationJob } from '#bootstrap/jobs/notification-job.ts';
import { onceAmongServers } from '#bootstrap/jobs/once-among-servers.ts';
import { pruneOld } from '#bootstrap/jobs/prune-old.ts';
import { startReactionJob } from '#bootstrap/jobs/reaction-job.ts';
import { startRegistrationJob } from '#bootstrap/jobs/registration-job.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { every } from '#infrastructure/time/every.ts';

/** How often the background job checks for tokens to renew, in ms. The domain decides which are due. */
const renewalPeriodMs = 60_000;

/** How often the job checks for rejected credentials that are due for a probe, in ms. */
const probingPeriodMs = 10_000;

/** How often app activity is written, in ms: the maximum that a killed process loses. */
export const recordingPeriodMs = 1_000;

/** How often old rows are pruned, in ms. */
const pruningPeriodMs = 3_600_000;

/**
 * Starts the background jobs; the returned function stops them and waits for running ones, releasing deliveries after
 * `deliveriesMs`.
 */
export function startJobs(container: Container): (deliveriesMs: number) => Promise<void> {
  const logger = container.get(tokens.logger);
  const storage = container.get(Storage);
  const watching = storage.watch(logger);
  const worker = container.get(InboxWorker);
  const renewDueTokens = container.get(RenewDueTokens);
  worker.start();
  const server = { leases: container.get(tokens.leases), owner: container.get(tokens.random).token(12) };
  const renewing = onceAmongServers(server, { name: 'renew due tokens', periodMs: renewalPeriodMs }, async () => {
    const renewed = await renewDueTokens.run();
    if (renewed > 0) logger.info({ renewed }, 'Tokens were renewed before they expire');
  });
  const renewal = every(
    renewalPeriodMs,
    storage.unlessAway(() => renewing.run(), 'database'),
    (error) => logger.error({ err: error }, 'The renewal of tokens failed; will retry'),
  );
  const probeRejected = container.get(ProbeRejected);
  const probing = every(
    probingPeriodMs,
    storage.unlessAway(async () => {
      if ((await probeRejected.run()) > 0) worker.wake();
    }, 'database'),
    (error) => logger.error({ err: error }, 'Refused connections could not be probed; will retry'),
  );
  const onePruning = onceAmongServers(server, { name: 'prune old rows', periodMs: pruningPeriodMs }, () =>
    pruneOld(container),
  );
  const pruning = every(
    pruningPeriodMs,
    storage.unlessAway(() => onePruning.run(), 'database'),
    (error) => logger.error({ err: error }, 'Old rows could not be pruned; will retry'),
  );
  const recording = every(
    recordingPeriodMs,
    storage.unlessAway(() => container.get(RecordActivity).run(), 'database'),
    (error) => logger.error({ err: error }, 'Activity could not be recorded; will retry'),
  );
  const stopRegistrations = startRegistrationJob(container);
  const stopReactions = startReactionJob(container);
  const stopNotifications = startNotificationJob(container);
  return async (deliveriesMs) => {
    const work = worker.stop(AbortSignal.timeout(deliveriesMs));
    await Promise.all([
      watching.stop(),
      work,
      stopRegistrations(),
      stopReactions(),
      stopNotifications(),
      renewal.stop(),
      probing.stop(),
      pruning.stop(),
      recording.stop(),
    ]);
    // The leases expire by themselves if the database is unavailable.
    await Promise.all([renewing.release(), onePruning.release()]).catch(() => undefined);
  };
}
