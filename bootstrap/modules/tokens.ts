import type { ServiceIdentifier } from 'inversify';
import type { AccountChange, Changes, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import type { ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { UnreadableRows } from '#adapters/contracts/unreadable-rows.ts';
import type { AuthUseCases } from '#adapters/http/oauth/auth-routes.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import type { Route } from '#adapters/http/route.ts';
import type { Features } from '#adapters/mcp/open-endpoint.ts';
import type { McpEndpoint } from '#adapters/mcp/transports/mcp-endpoint.ts';
import type { Sharing } from '#adapters/mcp/transports/shared-sessions.ts';
import type { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import type { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import type { ConnectionLimits } from '#adapters/services/connection-limits.ts';
import type { DeliveryCalls } from '#adapters/services/delivery-calls.ts';
import type { LocalOperation } from '#adapters/services/operation-table.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type { PruneActivity } from '#application/activity/prune-activity.ts';
import type { RecordActivity } from '#application/activity/record-activity.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { AccessTokens } from '#application/connections/access-tokens.ts';
import type { ConnectService } from '#application/connections/connect-service.ts';
import type { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import type { ProbeRejected } from '#application/connections/probe-rejected.ts';
import type { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import type { SaveCredentials } from '#application/connections/save-credentials.ts';
import type { TestConnection } from '#application/connections/test-connection.ts';
import type { RunOperation } from '#application/operations/run-operation.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NoteLinks } from '#application/ports/note-links.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { OperationMetrics } from '#application/ports/operation-metrics.ts';
import type { Organizations } from '#application/ports/organizations.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { ProviderWebhooks, WebhookAddress } from '#application/ports/provider-webhooks.ts';
import type { Random } from '#application/ports/random.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { RecordNames } from '#application/ports/record-names.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { ServiceGateway } from '#application/ports/service-gateway.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Users } from '#application/ports/users.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import type { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import type { ManageReactions } from '#application/reactions/manage-reactions.ts';
import type { PlanReactions } from '#application/reactions/plan-reactions.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import type { ReadingRights } from '#application/reactions/reading-rights.ts';
import type { RunSchedules } from '#application/reactions/run-schedules.ts';
import type { BeginSession } from '#application/session/begin-session.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import type { ChangeOwnPassword } from '#application/users/change-own-password.ts';
import type { ManageUsers } from '#application/users/manage-users.ts';
import type { PasswordLinks } from '#application/users/password-links.ts';
import type { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import type { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import type { ViewRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Deliveries } from '#application/webhooks/deliveries.ts';
import type { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import type { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import type { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import type { PlanEntry } from '#application/webhooks/plan-entry.ts';
import type { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import type { Targets } from '#application/webhooks/targets.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Runtime } from '#bootstrap/modules/runtime.ts';
import type { WebhookSecrets } from '#bootstrap/modules/webhook-secrets.ts';
import type { Readiness } from '#bootstrap/readiness.ts';
import type { Storage } from '#bootstrap/stores/storage.ts';
import type { WrappedStores } from '#bootstrap/stores/wrap-stores.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const token = <Bound>(name: string): ServiceIdentifier<Bound> => Symbol(name);

/** The tokens of the container's bindings, with the types that the compiler checks bindings against. */
export const tokens = {
  runtime: token<Runtime>('Runtime'),
  clock: token<Clock>('Clock'),
  random: token<Random>('Random'),
  logger: token<Logger>('Logger'),
  /** The validated configuration. */
  config: token<CheckedConfig>('CheckedConfig'),
  stores: token<WrappedStores>('WrappedStores'),
  unreadableRows: token<UnreadableRows>('UnreadableRows'),
  pruneSignIns: token<() => Promise<number>>('PruneSignIns'),
  http: token<HttpClient>('HttpClient'),
  readiness: token<Readiness>('Readiness'),
  storage: token<Storage>('Storage'),
  resourceChanges: token<Changes<ResourceChange>>('Changes<ResourceChange>'),
  noteChanges: token<Changes<NoteChange>>('Changes<NoteChange>'),
  accountChanges: token<Changes<AccountChange>>('Changes<AccountChange>'),
  otherServers: token<OtherServers>('OtherServers'),
  /** The store of MCP sessions and the messages that servers share; null for a single server. */
  sharing: token<Sharing | null>('Sharing'),

  users: token<Users>('Users'),
  automationUser: token<AutomationUser>('AutomationUser'),
  /** The stored sessions of persons. */
  personSessions: token<Sessions>('Sessions'),
  beginSession: token<BeginSession>('BeginSession'),
  signOutEverywhere: token<SignOutEverywhere>('SignOutEverywhere'),
  passwords: token<Passwords>('Passwords'),
  /** Grants of users to apps; `grants` are those of providers to users. */
  appGrants: token<Grants>('AppGrants'),
  pruneActivity: token<PruneActivity>('PruneActivity'),
  passwordLinks: token<PasswordLinks>('PasswordLinks'),
  manageUsers: token<ManageUsers>('ManageUsers'),
  ownPassword: token<ChangeOwnPassword>('ChangeOwnPassword'),
  recordActivity: token<RecordActivity>('RecordActivity'),
  grantedApps: token<GrantedApps>('GrantedApps'),
  sessionTokens: token<SessionTokens>('SessionTokens'),
  clients: token<Clients>('Clients'),
  codes: token<AuthorizationCodes>('AuthorizationCodes'),
  rateLimits: token<RateLimits>('RateLimits'),
  authUseCases: token<AuthUseCases>('AuthUseCases'),
  tracer: token<Tracer | null>('Tracer'),
  identifyCaller: token<IdentifyCaller>('IdentifyCaller'),
  formGuard: token<FormGuard>('FormGuard'),
  knownBrowsers: token<KnownBrowsers>('KnownBrowsers'),

  connections: token<Connections>('Connections'),
  serverFacts: token<ServerFacts>('ServerFacts'),
  serverTurns: token<ServerTurns>('ServerTurns'),
  leases: token<Leases>('Leases'),
  providers: token<readonly Provider[]>('Providers'),
  connectionLimits: token<ConnectionLimits>('ConnectionLimits'),
  catalog: token<OperationCatalog>('OperationCatalog'),
  serviceNames: token<ServiceNames>('ServiceNames'),
  grants: token<ProviderGrants>('ProviderGrants'),
  accessTokens: token<AccessTokens>('AccessTokens'),
  renewDueTokens: token<RenewDueTokens>('RenewDueTokens'),
  gateway: token<ServiceGateway>('ServiceGateway'),
  localOperations: token<Map<string, LocalOperation>>('LocalOperations'),
  probe: token<CredentialsProbe>('CredentialsProbe'),
  pendingConnects: token<PendingConnects>('PendingConnects'),
  connectService: token<ConnectService>('ConnectService'),
  connectionMethods: token<ConnectionMethods>('ConnectionMethods'),
  testConnection: token<TestConnection>('TestConnection'),
  probeRejected: token<ProbeRejected>('ProbeRejected'),
  saveCredentials: token<SaveCredentials>('SaveCredentials'),
  operationMetrics: token<OperationMetrics>('OperationMetrics'),
  runOperation: token<RunOperation>('RunOperation'),

  inbox: token<WebhookInbox>('WebhookInbox'),
  noteLinks: token<NoteLinks>('NoteLinks'),
  vaultNotes: token<VaultNotes>('VaultNotes'),
  /** All reactions to deliveries: built-in, of the services, and of the configuration. */
  reactions: token<readonly Reaction[]>('Reactions'),
  /** The services that send webhooks. */
  senders: token<readonly ServiceKey[]>('Senders'),
  webhookSources: token<readonly WebhookSource[]>('WebhookSources'),
  /** Calls operations for deliveries, bound to the work on them. */
  deliveryCalls: token<DeliveryCalls>('DeliveryCalls'),
  /** Whether the connections that deliveries need are usable. */
  deliveryConnections: token<DeliveryConnections>('DeliveryConnections'),
  drainInbox: token<DrainInbox>('DrainInbox'),
  inboxWorker: token<InboxWorker>('InboxWorker'),
  partyDirectory: token<PartyDirectory>('PartyDirectory'),
  partyLinks: token<PartyLinks>('PartyLinks'),
  organizations: token<Organizations>('Organizations'),
  recordNames: token<RecordNames>('RecordNames'),
  receiptLog: token<ReceiptLog>('ReceiptLog'),
  webhookSecrets: token<WebhookSecrets>('WebhookSecrets'),
  noteReceipts: token<NoteReceipts>('NoteReceipts'),
  targets: token<Targets>('Targets'),
  planEntry: token<PlanEntry>('PlanEntry'),
  /** Null when the configuration has a notes sink, or there is no vault. */
  reactionBook: token<ReactionBook | null>('ReactionBook'),
  reactionLanguage: token<ReactionThreads>('ReactionLanguage'),
  reactionLog: token<ReactionLog>('ReactionLog'),
  eventsOfPeriod: token<EventsOfPeriod>('EventsOfPeriod'),
  readingRights: token<ReadingRights | null>('ReadingRights'),
  planReactions: token<PlanReactions | null>('PlanReactions'),
  manageReactions: token<ManageReactions | null>('ManageReactions'),
  /** Null when user-written reactions are not read. */
  reactionOutcomes: token<ReactionOutcomes | null>('ReactionOutcomes'),
  reactionSwitches: token<BuiltInSwitches>('BuiltInSwitches'),
  runSchedules: token<RunSchedules | null>('RunSchedules'),
  deliveries: token<Deliveries>('Deliveries'),
  metrics: token<PrometheusMetrics>('PrometheusMetrics'),
  receiveDelivery: token<ReceiveDelivery>('ReceiveDelivery'),

  mcpFeatures: token<Features>('McpFeatures'),
  webhookRegistrations: token<WebhookRegistrations>('WebhookRegistrations'),
  providerWebhooks: token<readonly ProviderWebhooks[]>('ProviderWebhooks'),
  webhookAddress: token<WebhookAddress>('WebhookAddress'),
  reconcileRegistrations: token<ReconcileRegistrations>('ReconcileRegistrations'),
  forgetRegistrations: token<ForgetRegistrations>('ForgetRegistrations'),
  viewRegistrations: token<ViewRegistrations>('ViewRegistrations'),

  mcp: token<McpEndpoint>('McpEndpoint'),
  authRoutes: token<readonly Route[]>('AuthRoutes'),
  connectionRoutes: token<readonly Route[]>('ConnectionRoutes'),
  reactionRoutes: token<readonly Route[]>('ReactionRoutes'),
  deliveryRoutes: token<readonly Route[]>('DeliveryRoutes'),
  peopleRoutes: token<readonly Route[]>('PeopleRoutes'),
  serviceRoutes: token<readonly Route[]>('ServiceRoutes'),
};
