import type { Container } from 'inversify';
import { PruneActivity } from '#application/activity/prune-activity.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { approvalLifetimeMs } from '#domain/changes/approval.ts';
import { grantsExpiredBefore } from '#domain/oauth/app-grant.ts';

const dayMs = 86_400_000;
/** For how many days the ids of notifications that were sent are kept. */
const notificationDays = 7;

/**
 * Prunes the bodies of deliveries that finished long ago and their runs of reactions, changes that can no longer be
 * taken back, expired approvals, old audit entries, grants and sessions, unused clients, and old activity.
 */
export async function pruneOld(container: Container): Promise<void> {
  const now = container.get(tokens.clock).now();
  const { settings } = container.get(tokens.runtime);
  const logger = container.get(tokens.logger);
  // Delivery ids are kept permanently, to recognize duplicates.
  const bodies = await container.get(tokens.inbox).prune(now - settings.DELIVERIES_DAYS * dayMs);
  if (bodies > 0) logger.info({ pruned: bodies }, 'Bodies of old deliveries were pruned');
  await container.get(tokens.reactionLog).pruneRuns(now - settings.DELIVERIES_DAYS * dayMs);
  await container.get(tokens.appGrants).prune(grantsExpiredBefore(now));
  await container.get(tokens.personSessions).prune(now);
  const { keptChanges, approvals, auditLog, notifications } = container.get(tokens.stores);
  await auditLog.prune(now - settings.AUDIT_DAYS * dayMs);
  await notifications.prune(now - notificationDays * dayMs);
  await keptChanges.prune(now - settings.UNDO_DAYS * dayMs);
  // One that expired without a decision is shown for as long as it waited.
  await approvals.prune(now - Math.max(approvalLifetimeMs, settings.UNDO_DAYS * dayMs));
  await container.get(tokens.pruneSignIns)();
  const activities = await container.get(PruneActivity).run();
  if (activities > 0) logger.info({ pruned: activities }, 'Old activity was pruned');
}
