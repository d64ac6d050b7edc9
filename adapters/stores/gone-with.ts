import { forwarding } from '#adapters/stores/forwarding.ts';
import type { AllowedOperations } from '#application/ports/approval-policy.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { Users } from '#application/ports/users.ts';

type Choices = readonly Pick<Approvals | AllowedOperations, 'removeOf'>[];

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
