import type { ServiceIdentifier } from 'inversify';
import type { AccountChange, Changes, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import type { ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { UnreadableRows } from '#adapters/contracts/unreadable-rows.ts';
import type { WebhookKeys } from '#adapters/contracts/webhook-keys.ts';
import type { Route } from '#adapters/http/route.ts';
import type { ProviderWay } from '#adapters/http/sign-in/provider-routes.ts';
import type { Features } from '#adapters/mcp/open-endpoint.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import type { Sharing } from '#adapters/mcp/transports/shared-sessions.ts';
import type { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { RemoteServer } from '#adapters/services/from-mcp/remote-server.ts';
import type { LocalOperation } from '#adapters/services/requests/operation-table.ts';
import type { FindStamps } from '#adapters/services/vault/ports/reaction-notes.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { UserOfVendor } from '#application/connections/vendor-users.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { ApprovalFloor } from '#application/ports/approval-policy.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { EventRecords } from '#application/ports/event-records.ts';
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
import type { RunProgram } from '#application/programs/run-program.ts';
import type { ManageReactions } from '#application/reactions/manage-reactions.ts';
import type { PlanReactions } from '#application/reactions/plan-reactions.ts';
import type { ReactionApprovals } from '#application/reactions/reaction-approvals.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import type { ReadingRights } from '#application/reactions/reading-rights.ts';
import type { RunSchedules } from '#application/reactions/run-schedules.ts';
import type { RegistrationDependencies } from '#application/webhook-registrations/registration-dependencies.ts';
import type { Targets } from '#application/webhooks/targets.ts';
import type { Load } from '#application/webhooks/work-pace.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import type { WebhookSecrets } from '#bootstrap/modules/webhook-secrets.ts';
import type { WrappedStores } from '#bootstrap/stores/wrap-stores.ts';
import type { Approval } from '#domain/changes/approval.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';

/**
 * What is known once the settings and the secrets are read and the base URL is determined; the modules depend on it.
 */
export type Runtime = Readonly<{
  settings: Settings;
  /** The secrets that keys are derived from, the current one first. */
  secrets: readonly string[];
  /** The server's base URL, without a trailing slash. */
  baseUrl: string;
  listensOnLoopback: boolean;
  version: string;
  /** Until when cookies from before sessions were stored count as persons', in Unix ms. */
  formerCookiesUntil: number;
  /** Measures the processor time that the process gets; not measured when not given. */
  load?: (() => Load) | undefined;
}>;

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
  /** Records an act in the audit log. */
  note: token<NoteAct>('NoteAct'),
  unreadableRows: token<UnreadableRows>('UnreadableRows'),
  pruneSignIns: token<() => Promise<number>>('PruneSignIns'),
  resourceChanges: token<Changes<ResourceChange>>('Changes<ResourceChange>'),
  noteChanges: token<Changes<NoteChange>>('Changes<NoteChange>'),
  accountChanges: token<Changes<AccountChange>>('Changes<AccountChange>'),
  otherServers: token<OtherServers>('OtherServers'),
  /** The store of MCP sessions and the messages that servers share; null for a single server. */
  sharing: token<Sharing | null>('Sharing'),

  users: token<Users>('Users'),
  /** The stored sessions of persons. */
  personSessions: token<Sessions>('Sessions'),
  passwords: token<Passwords>('Passwords'),
  /** Grants of users to apps; `grants` are those of providers to users. */
  appGrants: token<Grants>('AppGrants'),
  /** Null on a server without an identity provider. */
  providerWay: token<ProviderWay | null>('ProviderWay'),
  sessionTokens: token<SessionTokens>('SessionTokens'),
  clients: token<Clients>('Clients'),
  codes: token<AuthorizationCodes>('AuthorizationCodes'),
  rateLimits: token<RateLimits>('RateLimits'),
  tracer: token<Tracer | null>('Tracer'),

  connections: token<Connections>('Connections'),
  serverFacts: token<ServerFacts>('ServerFacts'),
  /** The connections as the store has them: also those of services that this server does not have. */
  storedConnections: token<Pick<Connections, 'places' | 'remove'>>('StoredConnections'),
  /** The users as the store has them: also with permissions for services that this server does not have. */
  storedUsers: token<Pick<Users, 'findAll' | 'page' | 'change'>>('StoredUsers'),
  serverTurns: token<ServerTurns>('ServerTurns'),
  leases: token<Leases>('Leases'),
  /** The remote MCP servers, by the services that are made of them. */
  remoteServers: token<ReadonlyMap<ServiceKey, RemoteServer>>('RemoteServers'),
  providers: token<readonly Provider[]>('Providers'),
  catalog: token<OperationCatalog>('OperationCatalog'),
  serviceNames: token<ServiceNames>('ServiceNames'),
  grants: token<ProviderGrants>('ProviderGrants'),
  approvalFloor: token<ApprovalFloor>('ApprovalFloor'),
  gateway: token<ServiceGateway>('ServiceGateway'),
  localOperations: token<Map<string, LocalOperation>>('LocalOperations'),
  /** Names the states of the notes of the team's vault; null while this process does not serve it. */
  noteStamps: token<{ of: FindStamps | null }>('NoteStamps'),
  probe: token<CredentialsProbe>('CredentialsProbe'),
  pendingConnects: token<PendingConnects>('PendingConnects'),
  connectionMethods: token<ConnectionMethods>('ConnectionMethods'),
  operationMetrics: token<OperationMetrics>('OperationMetrics'),

  inbox: token<WebhookInbox>('WebhookInbox'),
  noteLinks: token<NoteLinks>('NoteLinks'),
  vaultNotes: token<VaultNotes>('VaultNotes'),
  /** All reactions to deliveries: built-in, of the services, and of the configuration. */
  reactions: token<readonly Reaction[]>('Reactions'),
  /** The services that send webhooks. */
  senders: token<readonly ServiceKey[]>('Senders'),
  webhookSources: token<readonly WebhookSource[]>('WebhookSources'),
  partyDirectory: token<PartyDirectory>('PartyDirectory'),
  partyLinks: token<PartyLinks>('PartyLinks'),
  organizations: token<Organizations>('Organizations'),
  recordNames: token<RecordNames>('RecordNames'),
  eventRecords: token<EventRecords>('EventRecords'),
  webhookKeys: token<WebhookKeys>('WebhookKeys'),
  receiptLog: token<ReceiptLog>('ReceiptLog'),
  webhookSecrets: token<WebhookSecrets>('WebhookSecrets'),
  targets: token<Targets>('Targets'),
  /** Null when the configuration has a notes sink, or there is no vault. */
  reactionBook: token<ReactionBook | null>('ReactionBook'),
  reactionLog: token<ReactionLog>('ReactionLog'),
  readingRights: token<ReadingRights | null>('ReadingRights'),
  planReactions: token<PlanReactions | null>('PlanReactions'),
  manageReactions: token<ManageReactions | null>('ManageReactions'),
  reactionApprovals: token<ReactionApprovals | null>('ReactionApprovals'),
  /** Null when user-written reactions are not read. */
  reactionOutcomes: token<ReactionOutcomes | null>('ReactionOutcomes'),
  runSchedules: token<RunSchedules | null>('RunSchedules'),

  mcpFeatures: token<Features>('McpFeatures'),
  /** Called when an approval begins to wait, or was decided. */
  onApproval: token<(approval: Pick<Approval, 'id' | 'userId' | 'grantId'>) => void>('OnApproval'),
  approvalRoutes: token<readonly Route[]>('ApprovalRoutes'),
  awaitedCalls: token<RunOperationFor>('AwaitedCalls'),
  /** Runs programs of apps; null where they are switched off. */
  programs: token<RunProgram | null>('Programs'),
  /** Whether a user can write to the vault that holds the reactions. */
  isReactionWriter: token<(user: User) => Promise<boolean>>('IsReactionWriter'),
  /** Reads and fills the texts that are tried, apart from the reactions that run. */
  trialThreads: token<ReactionThreads>('TrialThreads'),
  workspaceTools: token<readonly Tool[]>('WorkspaceTools'),
  webhookRegistrations: token<WebhookRegistrations>('WebhookRegistrations'),
  /** Over whose connection the records of deliveries are read. */
  userOfVendor: token<UserOfVendor>('UserOfVendor'),
  providerWebhooks: token<readonly ProviderWebhooks[]>('ProviderWebhooks'),
  /** The same with the names of their vendors; null where a service has one. */
  vendorWebhooks: token<readonly Readonly<{ vendor: string | null; webhooks: ProviderWebhooks }>[]>('VendorWebhooks'),
  isWebhookUsed: token<NonNullable<RegistrationDependencies['isUsed']>>('IsWebhookUsed'),
  webhookAddress: token<WebhookAddress>('WebhookAddress'),

  authRoutes: token<readonly Route[]>('AuthRoutes'),
  connectionRoutes: token<readonly Route[]>('ConnectionRoutes'),
  reactionRoutes: token<readonly Route[]>('ReactionRoutes'),
  /** Whether a message of MCP that arrives now is answered. */
  mayCall: token<() => boolean>('MayCall'),
  deliveryRoutes: token<readonly Route[]>('DeliveryRoutes'),
  peopleRoutes: token<readonly Route[]>('PeopleRoutes'),
  serviceRoutes: token<readonly Route[]>('ServiceRoutes'),
};
