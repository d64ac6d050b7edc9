import { activityLog } from '#test/mutants/lists/activity-log.ts';
import { addedServers } from '#test/mutants/lists/added-servers.ts';
import { allowedOperations } from '#test/mutants/lists/allowed-operations.ts';
import { approvals } from '#test/mutants/lists/approvals.ts';
import { auditLog } from '#test/mutants/lists/audit-log.ts';
import { authorizationCodes } from '#test/mutants/lists/authorization-codes.ts';
import { clients } from '#test/mutants/lists/clients.ts';
import { connections } from '#test/mutants/lists/connections.ts';
import { grants } from '#test/mutants/lists/grants.ts';
import { identities } from '#test/mutants/lists/identities.ts';
import { keptChanges } from '#test/mutants/lists/kept-changes.ts';
import { leases } from '#test/mutants/lists/leases.ts';
import { mcpSessions } from '#test/mutants/lists/mcp-sessions.ts';
import { mcpTransport } from '#test/mutants/lists/mcp-transport.ts';
import { noteLinks } from '#test/mutants/lists/note-links.ts';
import { notifications } from '#test/mutants/lists/notifications.ts';
import { partyDirectory } from '#test/mutants/lists/party-directory.ts';
import { partyLinks } from '#test/mutants/lists/party-links.ts';
import { pendingConnects } from '#test/mutants/lists/pending-connects.ts';
import { pendingSignIns } from '#test/mutants/lists/pending-sign-ins.ts';
import { pinnedTools } from '#test/mutants/lists/pinned-tools.ts';
import { rateLimits } from '#test/mutants/lists/rate-limits.ts';
import { reactionLog } from '#test/mutants/lists/reaction-log.ts';
import { receipts } from '#test/mutants/lists/receipts.ts';
import { registrations } from '#test/mutants/lists/registrations.ts';
import { remoteClients } from '#test/mutants/lists/remote-clients.ts';
import { serverMessages } from '#test/mutants/lists/server-messages.ts';
import { serverTurns } from '#test/mutants/lists/server-turns.ts';
import { sessions } from '#test/mutants/lists/sessions.ts';
import { users } from '#test/mutants/lists/users.ts';
import { vaultNotes } from '#test/mutants/lists/vault-notes.ts';
import { webhookInbox } from '#test/mutants/lists/webhook-inbox.ts';
import type { PortMutants } from '#test/mutants/mutant.ts';

/** The mutants of every port. */
export const allMutants: readonly PortMutants[] = [
  clients,
  authorizationCodes,
  users,
  sessions,
  identities,
  grants,
  activityLog,
  auditLog,
  keptChanges,
  approvals,
  allowedOperations,
  notifications,
  connections,
  webhookInbox,
  leases,
  receipts,
  reactionLog,
  registrations,
  noteLinks,
  partyLinks,
  pinnedTools,
  addedServers,
  remoteClients,
  pendingConnects,
  pendingSignIns,
  rateLimits,
  serverMessages,
  serverTurns,
  mcpSessions,
  partyDirectory,
  vaultNotes,
  mcpTransport,
];
