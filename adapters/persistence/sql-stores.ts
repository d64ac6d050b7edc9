import type { Store, Stores } from '#adapters/contracts/stores.ts';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlActivityLog } from '#adapters/persistence/sql-activity-log.ts';
import { SqlAllowedOperations } from '#adapters/persistence/sql-allowed-operations.ts';
import { SqlApprovals } from '#adapters/persistence/sql-approvals.ts';
import { SqlAuditLog } from '#adapters/persistence/sql-audit-log.ts';
import { SqlAuthorizationCodes } from '#adapters/persistence/sql-authorization-codes.ts';
import { SqlClients } from '#adapters/persistence/sql-clients.ts';
import { SqlGrants } from '#adapters/persistence/sql-grants.ts';
import { SqlIdentities } from '#adapters/persistence/sql-identities.ts';
import { SqlKeptChanges } from '#adapters/persistence/sql-kept-changes.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlNotifications } from '#adapters/persistence/sql-notifications.ts';
import { SqlPartyLinks } from '#adapters/persistence/sql-party-links.ts';
import { SqlPendingConnects } from '#adapters/persistence/sql-pending-connects.ts';
import { SqlPendingSignIns } from '#adapters/persistence/sql-pending-sign-ins.ts';
import { SqlRateLimits } from '#adapters/persistence/sql-rate-limits.ts';
import { SqlReactionLog } from '#adapters/persistence/sql-reaction-log.ts';
import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
import { SqlSessions } from '#adapters/persistence/sql-sessions.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** The stores that are always in the database. */
export const sqlStoreNames = [
  'users',
  'sessions',
  'identities',
  'grants',
  'activityLog',
  'auditLog',
  'keptChanges',
  'approvals',
  'allowedOperations',
  'connections',
  'webhookInbox',
  'receiptLog',
  'reactionLog',
  'webhookRegistrations',
  'noteLinks',
  'notifications',
  'partyLinks',
  'leases',
  'serverFacts',
] as const satisfies readonly (keyof Stores)[];

/** The stores of sign-ins and connects, which are in the database or in memory (`OAUTH_CLIENTS`). */
export const signInStoreNames = [
  'clients',
  'authorizationCodes',
  'pendingConnects',
  'pendingSignIns',
] as const satisfies readonly (keyof Stores)[];

type SqlStoreName = (typeof sqlStoreNames)[number] | (typeof signInStoreNames)[number] | 'rateLimits';

/** The stores over a database. Closing any of them closes it. Without a clock, the database's time is used. */
export function sqlStores(database: Database, clock: Clock | null = null): Pick<Stores, SqlStoreName> {
  const store = lifecycleOf(database);
  return {
    users: Object.assign(new MikroOrmUsers(database), store),
    sessions: Object.assign(new SqlSessions(database), store),
    identities: Object.assign(new SqlIdentities(database), store),
    grants: Object.assign(new SqlGrants(database), store),
    activityLog: Object.assign(new SqlActivityLog(database), store),
    auditLog: Object.assign(new SqlAuditLog(database), store),
    keptChanges: Object.assign(new SqlKeptChanges(database), store),
    approvals: Object.assign(new SqlApprovals(database), store),
    allowedOperations: Object.assign(new SqlAllowedOperations(database), store),
    connections: Object.assign(new MikroOrmConnections(database), store),
    webhookInbox: Object.assign(new SqlWebhookInbox(database, clock), store),
    receiptLog: Object.assign(new SqlReceiptLog(database), store),
    reactionLog: Object.assign(new SqlReactionLog(database), store),
    webhookRegistrations: Object.assign(new SqlWebhookRegistrations(database), store),
    noteLinks: Object.assign(new MikroOrmNoteLinks(database), store),
    notifications: Object.assign(new SqlNotifications(database), store),
    partyLinks: Object.assign(new SqlPartyLinks(database), store),
    leases: Object.assign(new SqlLeases(database, clock), store),
    serverFacts: Object.assign(new DatabaseServerFacts(database), store),
    clients: Object.assign(new SqlClients(database, clock), store),
    authorizationCodes: Object.assign(new SqlAuthorizationCodes(database), store),
    pendingConnects: Object.assign(new SqlPendingConnects(database), store),
    pendingSignIns: Object.assign(new SqlPendingSignIns(database), store),
    rateLimits: Object.assign(new SqlRateLimits(database, clock), store),
  };
}

/** Health checks and closing that all stores share, so that they check or close their database once. */
function lifecycleOf(database: Database): Store {
  let checking: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  return {
    ready: () => {
      checking ??= database.check().finally(() => {
        checking = null;
      });
      return checking;
    },
    close: () => {
      closing ??= database.close();
      return closing;
    },
  };
}
