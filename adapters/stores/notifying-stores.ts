import { forwarding } from '#adapters/stores/forwarding.ts';
import type { Notify } from '#application/notifications/notify.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { ConnectionPlace, Connections, StoredConnection } from '#application/ports/connections.ts';
import type { Notifications } from '#application/ports/notifications.ts';
import type { NewReactionCall, ReactionLog } from '#application/ports/reaction-log.ts';
import type { Users } from '#application/ports/users.ts';
import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { User } from '#domain/users/user.ts';

type Notifying = Pick<Notify, 'run'>;

/**
 * Takes down, before it is stored, that a connection needs its user, and that it works again. Servers that find the
 * same at once name the same occasion: the status that ends.
 */
export function notifyingConnections(store: Connections, notify: Notifying): Connections {
  const note = async ({ userId, service }: ConnectionPlace, to: ConnectionStatus['state']): Promise<void> => {
    if (to !== 'reconnect' && to !== 'connected') return;
    const before = await store.reload(userId, service);
    if (before === null || isBroken(before) === (to === 'reconnect')) return;
    const kind = to === 'reconnect' ? 'connection.broken' : 'connection.healed';
    const occasion = `${userId} ${service} ${before.record.updatedAt} ${before.status.since}`;
    await notify.run({ kind, occasion, userId, subject: { service } });
  };
  return forwarding(store, {
    save: async (record, status) => {
      await note(record, status.state);
      await store.save(record, status);
    },
    replace: async (before, after) => {
      await note(before, 'connected');
      return store.replace(before, after);
    },
    changeStatus: async (place, status) => {
      await note(place, status.state);
      return store.changeStatus(place, status);
    },
  });
}

const isBroken = ({ status }: StoredConnection): boolean => status.state === 'reconnect';

/**
 * Takes down, in the transaction in which they are added, that a user was invited; and removes with a user which e-mails
 * they wanted.
 */
export function notifyingUsers(
  store: Users,
  notify: Pick<Notify, 'run' | 'outgoing' | 'wake'> | null,
  notifications: Pick<Notifications, 'switchOff'>,
): Users {
  const invitedUser = ({ id }: Pick<User, 'id'>) =>
    ({ kind: 'user.invited', occasion: `${id}`, userId: null, subject: { user: id } }) as const;
  return forwarding(store, {
    add: async (user) => {
      if (notify === null || typeof user.invitedAt !== 'number') return store.add(user);
      const added = await store.add(user, (one) => notify.outgoing(invitedUser(one)));
      // For a store that keeps no notifications; the same occasion is known otherwise.
      if (added.ok) await notify.run(invitedUser(added.value));
      if (added.ok) notify.wake();
      return added;
    },
    remove: async (id) => {
      const isRemoved = await store.remove(id);
      if (isRemoved) await notifications.switchOff(id, []);
      return isRemoved;
    },
  });
}

/** Takes down, before it is stored, that a change waits for its user. */
export function notifyingApprovals(store: Approvals, notify: Notifying): Approvals {
  return forwarding(store, {
    keep: async (approval) => {
      const { id, userId, service } = approval;
      const kind = 'approval.waiting';
      await notify.run({ kind, occasion: id, userId, subject: { approval: id, service } });
      return store.keep(approval);
    },
  });
}

/** The time, in ms, in which calls of one reaction that begin to wait are one occasion. */
const quietMs = 3_600_000;

/** Takes down, before it is stored, that a reaction waits for an administrator. */
export function notifyingReactionLog(store: ReactionLog, notify: Notifying): ReactionLog {
  return forwarding(store, {
    wait: async (call: NewReactionCall) => {
      const { reaction, at } = call;
      const occasion = `${reaction} ${Math.floor(at / quietMs)}`;
      await notify.run({ kind: 'approval.waiting', occasion, userId: null, subject: { reaction } });
      await store.wait(call);
    },
  });
}
