import type { Identities } from '#application/ports/identities.ts';
import type { Notifications } from '#application/ports/notifications.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { User } from '#domain/users/user.ts';

type EraseUserDependencies = Readonly<{
  identities: Pick<Identities, 'forgetUser'>;
  notifications: Pick<Notifications, 'switchOff'>;
  registrations: Pick<WebhookRegistrations, 'list' | 'remove'>;
  reactionLog: Pick<ReactionLog, 'approvals' | 'approve' | 'refusals' | 'refuse' | 'withdraw'>;
}>;

/**
 * Erases what names a user and does not go with their account, sessions, grants and connections: their webhook
 * registrations, their part in identities at identity providers, which stay known, and their e-mail beside the reactions
 * that they allowed or refused, which stay so. The activity and the audit log name users by id only. Can be repeated.
 */
export async function eraseUser(
  { id, email }: Pick<User, 'id' | 'email'>,
  { identities, notifications, registrations, reactionLog }: EraseUserDependencies,
): Promise<void> {
  await identities.forgetUser(id);
  await notifications.switchOff(id, []);
  for (const line of await registrations.list()) if (line.userId === id) await registrations.remove(line);
  const by = `User ${id}`;
  for (const approval of await reactionLog.approvals()) {
    if (approval.by !== email) continue;
    // What was decided is added once and never changed. If this is cut off between the two, the reaction waits for another one.
    await reactionLog.withdraw(approval.digest);
    await reactionLog.approve({ ...approval, by });
  }
  for (const refusal of await reactionLog.refusals()) {
    if (refusal.by !== email) continue;
    await reactionLog.withdraw(refusal.digest);
    await reactionLog.refuse({ ...refusal, by });
  }
}
