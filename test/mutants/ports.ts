import { activityLogContract } from '#test/contracts/activity-log.ts';
import { addedServersContract } from '#test/contracts/added-servers.ts';
import { allowedOperationsContract } from '#test/contracts/allowed-operations.ts';
import { approvalsContract } from '#test/contracts/approvals.ts';
import { auditLogContract } from '#test/contracts/audit-log.ts';
import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { connectionStoreContract, connectionsContract } from '#test/contracts/connections.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import { identitiesContract } from '#test/contracts/identities.ts';
import { keptChangesContract } from '#test/contracts/kept-changes.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Subject } from '#test/contracts/kit/subject.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { mcpSessionsContract } from '#test/contracts/mcp-sessions.ts';
import { mcpTransportContract } from '#test/contracts/mcp-transport.ts';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { notificationsContract } from '#test/contracts/notifications.ts';
import { partyDirectoryContract } from '#test/contracts/party-directory.ts';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { pendingConnectsContract } from '#test/contracts/pending-connects.ts';
import { pendingSignInsContract } from '#test/contracts/pending-sign-ins.ts';
import { pinnedToolsContract } from '#test/contracts/pinned-tools.ts';
import { rateLimitsContract } from '#test/contracts/rate-limits.ts';
import { reactionLogContract } from '#test/contracts/reaction-log.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { remoteClientsContract } from '#test/contracts/remote-clients.ts';
import { serverMessagesContract } from '#test/contracts/server-messages.ts';
import { serverTurnsContract } from '#test/contracts/server-turns.ts';
import { sessionsContract } from '#test/contracts/sessions.ts';
import { usersContract } from '#test/contracts/users.ts';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { webhookInboxContract, webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';
import { broken } from '#test/mutants/broken.ts';
import type { Change } from '#test/mutants/mutant.ts';
import type { MutantDatabase } from '#test/mutants/postgres-databases.ts';
import { encrypted } from '#test/support/contracts/connections.ts';

/** A subject to register the suite for: where its module is loaded from, its name, and how its calls are changed. */
export type Judging = Readonly<{
  url: string;
  on: string;
  runner: Runner;
  change: Change | null;
  /** The database that a store on PostgreSQL is in; null for all other subjects. */
  database: MutantDatabase | null;
}>;

type Found = Pick<Judging, 'url' | 'database'>;

/** A port with a suite: the module that has its subjects, and how the suite is registered for one of them. */
export type JudgedPort = Readonly<{ port: string; path: string; register(judging: Judging): Promise<void> }>;

function judged<One extends Subject<object>>(
  port: string,
  stores: (from: Found) => Promise<readonly One[]>,
  suite: (runner: Runner, subject: One) => void,
): JudgedPort {
  return {
    port,
    path: `test/support/contracts/${port}.ts`,
    register: async (judging) => {
      const found = chosen(await stores(judging), judging);
      if (found === null) throw new Error(`${port}: no subject is called ${judging.on}`);
      suite(judging.runner, found);
    },
  };
}

/** The subject of that name, its store broken by the change; null when there is none. */
function chosen<One extends Subject<object>>(subjects: readonly One[], { on, change }: Judging): One | null {
  const found = subjects.find(({ name }) => name === on);
  if (found === undefined) return null;
  // What a suite asks of a subject beyond the usual stays as it is.
  return change === null ? found : { ...found, ...broken(found, change) };
}

/** A port of which stores do more than what is wrapped around them. */
function wrapped<Store extends Subject<object>, Wrapped extends Subject<object>>(
  port: string,
  subjects: (from: Found) => Promise<Readonly<{ stores: readonly Store[]; wrapped: readonly Wrapped[] }>>,
  suites: Readonly<{ store(runner: Runner, subject: Store): void; wrapped(runner: Runner, subject: Wrapped): void }>,
): JudgedPort {
  return {
    port,
    path: `test/support/contracts/${port}.ts`,
    register: async (judging) => {
      const found = await subjects(judging);
      const store = chosen(found.stores, judging);
      const outer = chosen(found.wrapped, judging);
      if (store !== null) suites.store(judging.runner, store);
      else if (outer !== null) suites.wrapped(judging.runner, outer);
      else throw new Error(`${port}: no subject is called ${judging.on}`);
    },
  };
}

/** Every port with a suite. */
export const ports: readonly JudgedPort[] = [
  judged(
    'clients',
    async ({ url }) => {
      const { clientStores }: typeof import('#test/support/contracts/clients.ts') = await import(url);
      return clientStores;
    },
    clientsContract,
  ),
  judged(
    'authorization-codes',
    async ({ url }) => {
      const { authorizationCodeStores }: typeof import('#test/support/contracts/authorization-codes.ts') = await import(
        url
      );
      return authorizationCodeStores;
    },
    authorizationCodesContract,
  ),
  judged(
    'users',
    async ({ url, database }) => {
      const { userStores, sqlUsers }: typeof import('#test/support/contracts/users.ts') = await import(url);
      return database === null ? userStores : [database.subjectOf(sqlUsers)];
    },
    usersContract,
  ),
  judged(
    'sessions',
    async ({ url, database }) => {
      const { sessionStores, sqlSessions }: typeof import('#test/support/contracts/sessions.ts') = await import(url);
      return database === null ? sessionStores : [database.subjectOf(sqlSessions)];
    },
    sessionsContract,
  ),
  judged(
    'identities',
    async ({ url, database }) => {
      const { identityStores, sqlIdentities }: typeof import('#test/support/contracts/identities.ts') = await import(
        url
      );
      return database === null ? identityStores : [database.subjectOf(sqlIdentities)];
    },
    identitiesContract,
  ),
  judged(
    'activity-log',
    async ({ url, database }) => {
      const { activityLogs, sqlActivity }: typeof import('#test/support/contracts/activity-log.ts') = await import(url);
      return database === null ? activityLogs : [database.subjectOf(sqlActivity)];
    },
    activityLogContract,
  ),
  judged(
    'audit-log',
    async ({ url, database }) => {
      const { auditLogs, sqlAudit }: typeof import('#test/support/contracts/audit-log.ts') = await import(url);
      return database === null ? auditLogs : [database.subjectOf(sqlAudit)];
    },
    auditLogContract,
  ),
  judged(
    'kept-changes',
    async ({ url, database }) => {
      const { keptChangeStores, sqlKeptChanges }: typeof import('#test/support/contracts/kept-changes.ts') =
        await import(url);
      return database === null ? keptChangeStores : [database.subjectOf(sqlKeptChanges)];
    },
    keptChangesContract,
  ),
  judged(
    'approvals',
    async ({ url, database }) => {
      const { approvalStores, sqlApprovals }: typeof import('#test/support/contracts/approvals.ts') = await import(url);
      return database === null ? approvalStores : [database.subjectOf(sqlApprovals)];
    },
    approvalsContract,
  ),
  judged(
    'allowed-operations',
    async ({ url, database }) => {
      const {
        allowedOperationStores,
        sqlAllowedOperations,
      }: typeof import('#test/support/contracts/allowed-operations.ts') = await import(url);
      return database === null ? allowedOperationStores : [database.subjectOf(sqlAllowedOperations)];
    },
    allowedOperationsContract,
  ),
  judged(
    'notifications',
    async ({ url, database }) => {
      const { notificationStores, sqlNotifications }: typeof import('#test/support/contracts/notifications.ts') =
        await import(url);
      return database === null ? notificationStores : [database.subjectOf(sqlNotifications)];
    },
    notificationsContract,
  ),
  judged(
    'grants',
    async ({ url, database }) => {
      const { grantStores, sqlGrants }: typeof import('#test/support/contracts/grants.ts') = await import(url);
      return database === null ? grantStores : [database.subjectOf(sqlGrants)];
    },
    grantsContract,
  ),
  wrapped(
    'connections',
    async ({ url, database }) => {
      const module: typeof import('#test/support/contracts/connections.ts') = await import(url);
      if (database === null) return { stores: module.connectionStores, wrapped: module.wrappedConnections };
      return { stores: [encrypted(database.subjectOf(module.sqlConnections), false)], wrapped: [] };
    },
    { store: connectionStoreContract, wrapped: connectionsContract },
  ),
  wrapped(
    'webhook-inbox',
    async ({ url, database }) => {
      const module: typeof import('#test/support/contracts/webhook-inbox.ts') = await import(url);
      if (database === null) return { stores: module.inboxStores, wrapped: module.wrappedInboxes };
      return { stores: [encrypted(database.subjectOf(module.sqlInbox), false)], wrapped: [] };
    },
    { store: webhookInboxStoreContract, wrapped: webhookInboxContract },
  ),
  judged(
    'leases',
    async ({ url, database }) => {
      const { leaseStores, sqlLeases }: typeof import('#test/support/contracts/leases.ts') = await import(url);
      return database === null ? leaseStores : [database.subjectOf(sqlLeases)];
    },
    leasesContract,
  ),
  judged(
    'reaction-log',
    async ({ url, database }) => {
      const { reactionLogs, sqlReactionLog }: typeof import('#test/support/contracts/reaction-log.ts') = await import(
        url
      );
      return database === null ? reactionLogs : [database.subjectOf(sqlReactionLog)];
    },
    reactionLogContract,
  ),
  judged(
    'receipts',
    async ({ url, database }) => {
      const { receiptStores, sqlReceipts }: typeof import('#test/support/contracts/receipts.ts') = await import(url);
      return database === null ? receiptStores : [database.subjectOf(sqlReceipts)];
    },
    receiptsContract,
  ),
  judged(
    'registrations',
    async ({ url, database }) => {
      const { registrationStores, sqlRegistrations }: typeof import('#test/support/contracts/registrations.ts') =
        await import(url);
      return database === null ? registrationStores : [database.subjectOf(sqlRegistrations)];
    },
    registrationsContract,
  ),
  judged(
    'note-links',
    async ({ url, database }) => {
      const { noteLinkStores, sqlNoteLinks }: typeof import('#test/support/contracts/note-links.ts') = await import(
        url
      );
      return database === null ? noteLinkStores : [database.subjectOf(sqlNoteLinks)];
    },
    noteLinksContract,
  ),
  judged(
    'party-links',
    async ({ url, database }) => {
      const { partyLinkStores, sqlPartyLinks }: typeof import('#test/support/contracts/party-links.ts') = await import(
        url
      );
      return database === null ? partyLinkStores : [database.subjectOf(sqlPartyLinks)];
    },
    partyLinksContract,
  ),
  judged(
    'pinned-tools',
    async ({ url, database }) => {
      const { pinnedToolStores, sqlPinnedTools }: typeof import('#test/support/contracts/pinned-tools.ts') =
        await import(url);
      return database === null ? pinnedToolStores : [database.subjectOf(sqlPinnedTools)];
    },
    pinnedToolsContract,
  ),
  judged(
    'added-servers',
    async ({ url, database }) => {
      const { addedServerStores, sqlAddedServers }: typeof import('#test/support/contracts/added-servers.ts') =
        await import(url);
      return database === null ? addedServerStores : [database.subjectOf(sqlAddedServers)];
    },
    addedServersContract,
  ),
  judged(
    'remote-clients',
    async ({ url, database }) => {
      const { remoteClientStores, sqlRemoteClients }: typeof import('#test/support/contracts/remote-clients.ts') =
        await import(url);
      return database === null ? remoteClientStores : [database.subjectOf(sqlRemoteClients)];
    },
    remoteClientsContract,
  ),
  judged(
    'pending-connects',
    async ({ url }) => {
      const { pendingConnectStores }: typeof import('#test/support/contracts/pending-connects.ts') = await import(url);
      return pendingConnectStores;
    },
    pendingConnectsContract,
  ),
  judged(
    'pending-sign-ins',
    async ({ url }) => {
      const { pendingSignInStores }: typeof import('#test/support/contracts/pending-sign-ins.ts') = await import(url);
      return pendingSignInStores;
    },
    pendingSignInsContract,
  ),
  judged(
    'rate-limits',
    async ({ url }) => {
      const { rateLimitStores }: typeof import('#test/support/contracts/rate-limits.ts') = await import(url);
      return rateLimitStores;
    },
    rateLimitsContract,
  ),
  judged(
    'server-messages',
    async ({ url }) => {
      const { serverMessages }: typeof import('#test/support/contracts/server-messages.ts') = await import(url);
      return serverMessages;
    },
    serverMessagesContract,
  ),
  judged(
    'server-turns',
    async ({ url, database }) => {
      const { postgresTurns, serverTurns }: typeof import('#test/support/contracts/server-turns.ts') = await import(
        url
      );
      return database === null ? serverTurns : [database.subjectOf(postgresTurns)];
    },
    serverTurnsContract,
  ),
  judged(
    'mcp-sessions',
    async ({ url }) => {
      const { mcpSessionStores }: typeof import('#test/support/contracts/mcp-sessions.ts') = await import(url);
      return mcpSessionStores;
    },
    mcpSessionsContract,
  ),
  judged(
    'party-directory',
    async ({ url }) => {
      const { partyDirectories }: typeof import('#test/support/contracts/party-directory.ts') = await import(url);
      return partyDirectories;
    },
    partyDirectoryContract,
  ),
  judged(
    'vault-notes',
    async ({ url }) => {
      const { vaults }: typeof import('#test/support/contracts/vault-notes.ts') = await import(url);
      return vaults;
    },
    vaultNotesContract,
  ),
  {
    port: 'mcp-transport',
    path: 'test/support/contracts/mcp-transport.ts',
    register: async ({ url, on, runner }) => {
      const { mcpTransports }: typeof import('#test/support/contracts/mcp-transport.ts') = await import(url);
      const found = mcpTransports.find(({ name }) => name === on);
      if (found === undefined) throw new Error(`mcp-transport: no subject is called ${on}`);
      mcpTransportContract(runner, found);
    },
  },
];
