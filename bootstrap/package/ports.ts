/**
 * The entry point `portolan/ports`: the ports that can be implemented for a server, and the domain types that they use.
 */

export type * from '#adapters/contracts/change-stores.ts';
export type * from '#adapters/contracts/mcp-sessions.ts';
export type * from '#adapters/contracts/remote-clients.ts';
export type * from '#adapters/contracts/server-messages.ts';
export type * from '#adapters/contracts/stores.ts';
export type * from '#adapters/contracts/stores.ts';
export type * from '#application/ports/activity-log.ts';
export type * from '#application/ports/added-servers.ts';
export type * from '#application/ports/approval-policy.ts';
export type * from '#application/ports/approvals.ts';
export type * from '#application/ports/audit-log.ts';
export type * from '#application/ports/authorization-codes.ts';
export type * from '#application/ports/clients.ts';
export type * from '#application/ports/clock.ts';
export type * from '#application/ports/connections.ts';
export type * from '#application/ports/grants.ts';
export type * from '#application/ports/identities.ts';
export type * from '#application/ports/kept-changes.ts';
export type * from '#application/ports/leases.ts';
export type * from '#application/ports/logger.ts';
export type * from '#application/ports/note-links.ts';
export type * from '#application/ports/operation-caller.ts';
export type * from '#application/ports/party-directory.ts';
export type * from '#application/ports/party-links.ts';
export type * from '#application/ports/pending-connects.ts';
export type * from '#application/ports/pending-sign-ins.ts';
export type * from '#application/ports/pinned-tools.ts';
export type * from '#application/ports/rate-limits.ts';
export {
  type CallEnd,
  type CallState,
  callStates,
  type NewReactionCall,
  type ReactionApproval,
  type ReactionCount,
  type ReactionLog,
  type ReactionRun,
  type RecordedCall,
  type TouchedRecord,
} from '#application/ports/reaction-log.ts';
export { maxStale, type ReceiptLog, type SecretUse, type StaleDelivery } from '#application/ports/receipt-log.ts';
export type * from '#application/ports/server-facts.ts';
export type { OperationCall } from '#application/ports/service-gateway.ts';
export type * from '#application/ports/sessions.ts';
export type * from '#application/ports/users.ts';
export type * from '#application/ports/vault-notes.ts';
export {
  type BodyChange,
  type Claim,
  type Ending,
  type EntryPlace,
  type InboxEntry,
  type InboxState,
  inboxStates,
  type NewInboxEntry,
  type StoredBody,
  type WebhookInbox,
  type WebhookInboxStore,
} from '#application/ports/webhook-inbox.ts';
export type * from '#application/ports/webhook-registrations.ts';
export {
  type ConnectionState,
  type ConnectionStatus,
  connectedSince,
  connectionStates,
  statusOf,
} from '#domain/connections/connection-status.ts';
export type * from '#domain/connections/rejections.ts';
export { orderKeyOf, type RecordRef } from '#domain/events/record-ref.ts';
export { type RateLimitName, rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
export type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
export type { Client } from '#domain/oauth/client.ts';
export type { CodeUse } from '#domain/oauth/code-use.ts';
export type { Grant } from '#domain/oauth/grant.ts';
export { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
export type * from '#domain/parties/party.ts';
export type { ServiceKey } from '#domain/services/service-key.ts';
export type { PersonSession } from '#domain/sessions/person-session.ts';
export { err, ok, type Result } from '#domain/shared/result.ts';
export type { LinkedIdentity } from '#domain/sign-in/identity.ts';
export { type AuthMethod, authMethods, type TokenRecord } from '#domain/tokens/token-record.ts';
export type { User } from '#domain/users/user.ts';
export { type UserState, userStateOf, userStates } from '#domain/users/user-state.ts';
export {
  type RegistrationState,
  registrationStates,
  type WebhookRegistration,
} from '#domain/webhook-registrations/webhook-registration.ts';
export type { Lane } from '#domain/webhooks/lane.ts';
