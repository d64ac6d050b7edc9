import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import { activityLogContract } from '#test/contracts/activity-log.ts';
import { addedServersContract } from '#test/contracts/added-servers.ts';
import { allowedOperationsContract } from '#test/contracts/allowed-operations.ts';
import { approvalsContract } from '#test/contracts/approvals.ts';
import { auditLogContract } from '#test/contracts/audit-log.ts';
import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { connectionStoreContract } from '#test/contracts/connections.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import { identitiesContract } from '#test/contracts/identities.ts';
import { keptChangesContract } from '#test/contracts/kept-changes.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
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
import { type CannedVendor, vendorContract } from '#test/contracts/vendor.ts';
import { webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';

/** A suite: its file name in test/contracts, under which it is published, and a function that registers its clauses without a store. */
export type Suite = Readonly<{ file: string; register(runner: Runner): void }>;

const none = {
  name: 'none',
  open: (): Promise<never> => Promise.reject(new Error('There is no store')),
  supports: { durable: false, processes: false },
};

const unencrypted = { ...none, supports: { ...none.supports, encrypted: false } };

const noVendor: CannedVendor = {
  name: 'none',
  service: salesCrm,
  vendor: 'neutral',
  connection: { authMethod: 'oauth', accessToken: '' },
};

/** All suites, in the order of the document. */
export const suites: readonly Suite[] = [
  { file: 'clients', register: (runner) => clientsContract(runner, none) },
  { file: 'authorization-codes', register: (runner) => authorizationCodesContract(runner, none) },
  { file: 'users', register: (runner) => usersContract(runner, none) },
  { file: 'sessions', register: (runner) => sessionsContract(runner, none) },
  { file: 'identities', register: (runner) => identitiesContract(runner, none) },
  { file: 'activity-log', register: (runner) => activityLogContract(runner, none) },
  { file: 'audit-log', register: (runner) => auditLogContract(runner, none) },
  { file: 'kept-changes', register: (runner) => keptChangesContract(runner, none) },
  { file: 'approvals', register: (runner) => approvalsContract(runner, none) },
  { file: 'allowed-operations', register: (runner) => allowedOperationsContract(runner, none) },
  { file: 'notifications', register: (runner) => notificationsContract(runner, none) },
  { file: 'grants', register: (runner) => grantsContract(runner, none) },
  { file: 'connections', register: (runner) => connectionStoreContract(runner, unencrypted) },
  { file: 'webhook-inbox', register: (runner) => webhookInboxStoreContract(runner, unencrypted) },
  { file: 'leases', register: (runner) => leasesContract(runner, none) },
  { file: 'receipts', register: (runner) => receiptsContract(runner, none) },
  { file: 'reaction-log', register: (runner) => reactionLogContract(runner, none) },
  { file: 'registrations', register: (runner) => registrationsContract(runner, none) },
  { file: 'note-links', register: (runner) => noteLinksContract(runner, none) },
  { file: 'party-links', register: (runner) => partyLinksContract(runner, none) },
  { file: 'pending-connects', register: (runner) => pendingConnectsContract(runner, none) },
  { file: 'pending-sign-ins', register: (runner) => pendingSignInsContract(runner, none) },
  { file: 'rate-limits', register: (runner) => rateLimitsContract(runner, none) },
  { file: 'pinned-tools', register: (runner) => pinnedToolsContract(runner, none) },
  { file: 'added-servers', register: (runner) => addedServersContract(runner, none) },
  { file: 'remote-clients', register: (runner) => remoteClientsContract(runner, none) },
  { file: 'server-messages', register: (runner) => serverMessagesContract(runner, none) },
  { file: 'server-turns', register: (runner) => serverTurnsContract(runner, none) },
  { file: 'mcp-sessions', register: (runner) => mcpSessionsContract(runner, none) },
  { file: 'party-directory', register: (runner) => partyDirectoryContract(runner, { ...none, seen: none.open }) },
  {
    file: 'vault-notes',
    register: (runner) => vaultNotesContract(runner, { ...none, supports: { ...none.supports, versions: false } }),
  },
  { file: 'mcp-transport', register: (runner) => mcpTransportContract(runner, none) },
  { file: 'vendor', register: (runner) => vendorContract(runner, noVendor) },
];
