import type { ApprovalStore, KeptChangeStore } from '#adapters/contracts/change-stores.ts';
import type { ServerMessages } from '#adapters/contracts/server-messages.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { AllowedOperations } from '#application/ports/approval-policy.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { ConnectionStore } from '#application/ports/connections.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Identities } from '#application/ports/identities.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { NoteLinks } from '#application/ports/note-links.ts';
import type { Notifications } from '#application/ports/notifications.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import type { WebhookInboxStore } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';

/** The lifecycle of a store, which every store implements in addition to its port. */
export interface Store {
  /** Resolves when the store can be read and written; rejects with the reason when it cannot. */
  ready(): Promise<void>;
  /** Releases the store's resources. Called once, when nothing uses the store any more. */
  close(): Promise<void>;
}

/**
 * All stores of a server, by their names in the configuration. Secrets are passed to stores only encrypted, or as
 * digests.
 */
export type Stores = Readonly<{
  users: Users & Store;
  clients: Clients & Store;
  authorizationCodes: AuthorizationCodes & Store;
  sessions: Sessions & Store;
  identities: Identities & Store;
  grants: Grants & Store;
  activityLog: ActivityLog & Store;
  auditLog: AuditLog & Store;
  keptChanges: KeptChangeStore & Store;
  approvals: ApprovalStore & Store;
  allowedOperations: AllowedOperations & Store;
  connections: ConnectionStore & Store;
  pendingConnects: PendingConnects & Store;
  pendingSignIns: PendingSignIns & Store;
  webhookInbox: WebhookInboxStore & Store;
  receiptLog: ReceiptLog & Store;
  reactionLog: ReactionLog & Store;
  webhookRegistrations: WebhookRegistrations & Store;
  noteLinks: NoteLinks & Store;
  notifications: Notifications & Store;
  partyLinks: PartyLinks & Store;
  leases: Leases & Store;
  serverFacts: ServerFacts & Store;
  rateLimits: RateLimits & Store;
  serverMessages: ServerMessages & Store;
}>;
