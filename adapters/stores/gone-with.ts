import { forwarding } from '#adapters/stores/forwarding.ts';
import type { AllowedOperations } from '#application/ports/approval-policy.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { Users } from '#application/ports/users.ts';
import { isActive } from '#domain/sessions/session.ts';

type Choices = readonly Pick<Approvals | AllowedOperations, 'removeOf'>[];

/**
 * Removes a connection that is saved for a user who was deactivated or removed meanwhile: a person may be at the provider
 * while an administrator disconnects them from everything (USER-027).
 */
export function connectionsOfActive(store: Connections, users: Pick<Users, 'findAll'>): Connections {
  return forwarding(store, {
    save: async (record, status) => {
      await store.save(record, status);
      const [user] = await users.findAll([record.userId]);
      if (user === undefined || !isActive(user)) await store.remove(record.userId, record.service);
    },
  });
}

/** Removes with a grant what its app asked of the user, and what the user always allows it (UNDO-004). */
export function grantsWithChoices(store: Grants, choices: Choices): Grants {
  return forwarding(store, {
    remove: async (userId, id) => {
      const isRemoved = await store.remove(userId, id);
      if (isRemoved) for (const choice of choices) await choice.removeOf(userId, id);
      return isRemoved;
    },
  });
}

/** Removes with a user who is deactivated or removed all that is kept of the changes for them (UNDO-005). */
export function usersWithChanges(
  store: Users,
  { kept, choices }: Readonly<{ kept: Pick<KeptChanges, 'removeOf'>; choices: Choices }>,
): Users {
  const forget = async (id: number): Promise<void> => {
    await kept.removeOf(id);
    for (const choice of choices) await choice.removeOf(id, null);
  };
  return forwarding(store, {
    remove: async (id) => {
      await forget(id);
      return store.remove(id);
    },
    change: async (id, change) => {
      const isChanged = await store.change(id, change);
      if (isChanged && typeof change.deactivatedAt === 'number') await forget(id);
      return isChanged;
    },
  });
}
