import { ActivityRow } from '#adapters/persistence/schema/activity.ts';
import { ActivityAppRow } from '#adapters/persistence/schema/activity-apps.ts';
import { AllowedOperationRow } from '#adapters/persistence/schema/allowed-operations.ts';
import { GrantRow } from '#adapters/persistence/schema/app-grants.ts';
import { ApprovalRow } from '#adapters/persistence/schema/approvals.ts';
import { AuditRow } from '#adapters/persistence/schema/audit.ts';
import { AuthorizationCodeRow } from '#adapters/persistence/schema/authorization-codes.ts';
import { ClientRow } from '#adapters/persistence/schema/clients.ts';
import { CodeUseRow } from '#adapters/persistence/schema/code-uses.ts';
import { ConnectionStatusRow } from '#adapters/persistence/schema/connection-statuses.ts';
import { ConnectionRow } from '#adapters/persistence/schema/connections.ts';
import { IdentityRow } from '#adapters/persistence/schema/identities.ts';
import { KeptChangeRow } from '#adapters/persistence/schema/kept-changes.ts';
import { LeaseRow } from '#adapters/persistence/schema/leases.ts';
import { McpSessionRow } from '#adapters/persistence/schema/mcp-sessions.ts';
import { NoteLinkRow } from '#adapters/persistence/schema/note-links.ts';
import { NotificationChoiceRow } from '#adapters/persistence/schema/notification-choices.ts';
import { NotificationRow } from '#adapters/persistence/schema/notifications.ts';
import { PartyLinkRow } from '#adapters/persistence/schema/party-links.ts';
import { PendingConnectRow } from '#adapters/persistence/schema/pending-connects.ts';
import { PendingSignInRow } from '#adapters/persistence/schema/pending-sign-ins.ts';
import { RateLimitRow } from '#adapters/persistence/schema/rate-limits.ts';
import { ReactionApprovalRow } from '#adapters/persistence/schema/reaction-approvals.ts';
import { ReactionAsideRow } from '#adapters/persistence/schema/reaction-asides.ts';
import { ReactionCallRow } from '#adapters/persistence/schema/reaction-calls.ts';
import { ReactionRefusalRow } from '#adapters/persistence/schema/reaction-refusals.ts';
import { ReactionResultRow } from '#adapters/persistence/schema/reaction-results.ts';
import { ReactionRunRow } from '#adapters/persistence/schema/reaction-runs.ts';
import { ReactionScheduleRow } from '#adapters/persistence/schema/reaction-schedules.ts';
import { ReactionSwitchRow } from '#adapters/persistence/schema/reaction-switches.ts';
import { ServerFactRow } from '#adapters/persistence/schema/server-facts.ts';
import { ServerMessageRow } from '#adapters/persistence/schema/server-messages.ts';
import { SessionRow } from '#adapters/persistence/schema/sessions.ts';
import { StaleDeliveryRow } from '#adapters/persistence/schema/stale-deliveries.ts';
import { UsageCountRow } from '#adapters/persistence/schema/usage-counts.ts';
import { UserRow } from '#adapters/persistence/schema/users.ts';
import { InboxRow } from '#adapters/persistence/schema/webhook-inbox.ts';
import { WebhookRegistrationRow } from '#adapters/persistence/schema/webhook-registrations.ts';
import { SecretUseRow } from '#adapters/persistence/schema/webhook-secret-uses.ts';

/** The entities of all tables. */
export const entities = [
  UserRow,
  ConnectionRow,
  ConnectionStatusRow,
  InboxRow,
  LeaseRow,
  NoteLinkRow,
  NotificationRow,
  NotificationChoiceRow,
  SecretUseRow,
  StaleDeliveryRow,
  PartyLinkRow,
  WebhookRegistrationRow,
  ServerFactRow,
  ClientRow,
  AuthorizationCodeRow,
  CodeUseRow,
  PendingConnectRow,
  PendingSignInRow,
  RateLimitRow,
  ServerMessageRow,
  McpSessionRow,
  GrantRow,
  SessionRow,
  IdentityRow,
  ActivityRow,
  ActivityAppRow,
  AuditRow,
  ReactionApprovalRow,
  ReactionCallRow,
  ReactionRunRow,
  ReactionResultRow,
  ReactionScheduleRow,
  ReactionSwitchRow,
  ReactionAsideRow,
  ReactionRefusalRow,
  KeptChangeRow,
  ApprovalRow,
  AllowedOperationRow,
  UsageCountRow,
];
