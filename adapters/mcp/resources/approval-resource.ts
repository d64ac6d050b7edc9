import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Approval } from '#domain/changes/approval.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

const scheme = 'portolan://approvals/';
const address = /^portolan:\/\/approvals\/([\w-]{20,100})$/;

/** The address under which changes of an approval are published: that of its own user and app. */
export function approvalAddress({ id, userId, grantId }: Pick<Approval, 'id' | 'userId' | 'grantId'>): string {
  return `${scheme}${id}#${userId}:${grantId}`;
}

/**
 * Offers what became of a change that a person was asked about as a resource, to the app that asked and its user only;
 * once it was made, with its outcome (ASK-018).
 */
export function approvalResource(approvals: Pick<Approvals, 'find'>, now: () => number): ResourceSource {
  const idIn = (uri: string): string | null => address.exec(uri)?.[1] ?? null;
  const isOwn = ({ id, app }: User, found: Approval): boolean =>
    found.userId === id && app !== undefined && found.grantId === app.grantId;
  return {
    templates: [
      {
        uriTemplate: `${scheme}{id}`,
        name: 'approval',
        title: 'Approval',
        description: 'Whether the user allowed a change that waits for them, and its outcome',
        mimeType: 'application/json',
      },
    ],
    list: async () => ({ entries: [], next: null }),
    read: async ({ user }, uri) => {
      const id = idIn(uri);
      const found = id === null ? null : await approvals.find(id);
      if (found === null || !isOwn(user, found)) return null;
      return [{ uri, mimeType: 'application/json', text: JSON.stringify(shown(found, now())) }];
    },
    addressOf: ({ user: { id: userId, app } }, uri) => {
      const id = idIn(uri);
      const grantId = app?.grantId ?? null;
      return id === null || grantId === null ? null : approvalAddress({ id, userId, grantId });
    },
    complete: async (_, uriTemplate) => (uriTemplate === `${scheme}{id}` ? [] : null),
  };
}

function shown({ id, service, operation, state, expiresAt, comment, outcome }: Approval, now: number) {
  return {
    id,
    service,
    operation,
    state: now < expiresAt ? state : 'expired',
    expires_at: new Date(expiresAt).toISOString(),
    ...(comment === null ? {} : { comment }),
    ...(outcome === null ? {} : { outcome: outcomeAsJson(outcome) }),
  };
}

function outcomeAsJson(outcome: Outcome) {
  if (outcome.ok) return { ok: true, data: outcome.data ?? null };
  const { reason, message } = outcome;
  return { ok: false, reason, message };
}
