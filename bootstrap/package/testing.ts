/**
 * The entry point `portolan/testing`: in-memory stores, a settable clock, emulated services and the dispatcher of a
 * stage, for tests of extensions.
 */

import type { Stores } from '#adapters/contracts/stores.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import type { Clock } from '#application/ports/clock.ts';
import { transientStores, volatile } from '#bootstrap/stores/transient-stores.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryActivityLog } from '#test/doubles/memory-activity-log.ts';
import { MemoryAllowedOperations } from '#test/doubles/memory-allowed-operations.ts';
import { MemoryApprovals } from '#test/doubles/memory-approvals.ts';
import { MemoryAuditLog } from '#test/doubles/memory-audit-log.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryIdentities } from '#test/doubles/memory-identities.ts';
import { MemoryKeptChanges } from '#test/doubles/memory-kept-changes.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { MemoryNoteLinks } from '#test/doubles/memory-note-links.ts';
import { MemoryNotifications } from '#test/doubles/memory-notifications.ts';
import { MemoryPartyLinks } from '#test/doubles/memory-party-links.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { MemoryWebhookRegistrations } from '#test/doubles/memory-webhook-registrations.ts';

export { type StageDispatcher, stageDispatcher } from '#bootstrap/package/stage-dispatcher.ts';
export type { CloudService } from '#test/kit/emulators/cloud-services.ts';
export type { Emulator, Received, Reply } from '#test/kit/emulators/emulator.ts';
export { type Emulators, openEmulators } from '#test/kit/emulators/emulators.ts';
export {
  MemoryActivityLog,
  MemoryAllowedOperations,
  MemoryApprovals,
  MemoryAuditLog,
  MemoryAuthorizationCodes,
  MemoryClients,
  MemoryConnections,
  MemoryGrants,
  MemoryKeptChanges,
  MemoryLeases,
  MemoryNoteLinks,
  MemoryNotifications,
  MemoryPartyLinks,
  MemoryPendingConnects,
  MemoryReactionLog,
  MemoryReceiptLog,
  MemoryServerFacts,
  MemoryServerMessages,
  MemorySessions,
  MemoryUsers,
  MemoryVaultNotes,
  MemoryWebhookInbox,
  MemoryWebhookRegistrations,
  SettableClock,
};

/** Creates all stores in memory, so that a server needs no database. Their content is lost when the process ends. */
export function memoryStores(clock: Clock = systemClock): Stores {
  return {
    ...transientStores({ isLimiting: true }),
    users: Object.assign(new MemoryUsers(), volatile),
    sessions: Object.assign(new MemorySessions(), volatile),
    identities: Object.assign(new MemoryIdentities(), volatile),
    connections: Object.assign(new MemoryConnections(), volatile),
    webhookInbox: Object.assign(new MemoryWebhookInbox(clock), volatile),
    reactionLog: Object.assign(new MemoryReactionLog(), volatile),
    receiptLog: Object.assign(new MemoryReceiptLog(), volatile),
    webhookRegistrations: Object.assign(new MemoryWebhookRegistrations(), volatile),
    noteLinks: Object.assign(new MemoryNoteLinks(), volatile),
    notifications: Object.assign(new MemoryNotifications(), volatile),
    partyLinks: Object.assign(new MemoryPartyLinks(), volatile),
    activityLog: Object.assign(new MemoryActivityLog(), volatile),
    auditLog: Object.assign(new MemoryAuditLog(), volatile),
    keptChanges: Object.assign(new MemoryKeptChanges(), volatile),
    approvals: Object.assign(new MemoryApprovals(), volatile),
    allowedOperations: Object.assign(new MemoryAllowedOperations(), volatile),
    grants: Object.assign(new MemoryGrants(), volatile),
    leases: Object.assign(new MemoryLeases(clock), volatile),
    serverFacts: Object.assign(new MemoryServerFacts(), volatile),
    serverMessages: Object.assign(new MemoryServerMessages(), volatile),
  };
}
