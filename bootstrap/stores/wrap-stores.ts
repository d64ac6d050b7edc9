import { CachedGrants } from '#adapters/stores/cached-grants.ts';
import { CachedSessions } from '#adapters/stores/cached-sessions.ts';
import { CachedUsers } from '#adapters/stores/cached-users.ts';
import { KnownInbox } from '#adapters/stores/known-inbox.ts';
import { knownConnects, knownPartyLinks, knownReceipts, knownRegistrations } from '#adapters/stores/known-rows.ts';
import { KnownServices } from '#adapters/stores/known-services.ts';
import { KnownUsers } from '#adapters/stores/known-users.ts';
import { RecentBodies } from '#adapters/stores/recent-bodies.ts';
import { SealedInbox } from '#adapters/stores/sealed-inbox.ts';
import { digestedCodes, sealedClients, sealedConnects } from '#adapters/stores/sealed-transients.ts';
import type { AccountChanges } from '#application/ports/account-changes.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NoteLinks } from '#application/ports/note-links.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Stores } from '#application/ports/stores.ts';
import type { Users } from '#application/ports/users.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { type WrappedConnections, wrapConnections } from '#bootstrap/stores/wrap-connections.ts';
import { scheduleService } from '#domain/events/schedule-event.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The ports of all stores as used by use cases and interfaces. */
export type WrappedStores = Readonly<{
  users: Users;
  sessions: Sessions;
  grants: CachedGrants;
  activityLog: ActivityLog;
  clients: Clients;
  authorizationCodes: AuthorizationCodes;
  connections: WrappedConnections;
  pendingConnects: PendingConnects;
  webhookInbox: WebhookInbox;
  receiptLog: ReceiptLog;
  reactionLog: ReactionLog;
  webhookRegistrations: WebhookRegistrations;
  noteLinks: NoteLinks;
  partyLinks: PartyLinks;
  leases: Leases;
  serverFacts: ServerFacts;
  rateLimits: RateLimits;
}>;

/** The dependencies for wrapping stores. */
export type Wrapping = Readonly<{
  secrets: readonly string[];
  services: readonly ServiceKey[];
  changes: AccountChanges;
  /** No other servers when not given. */
  others?: OtherServers;
  logger: Logger;
}>;

/** How long users, sessions and grants are cached, in ms: while changes by other servers are received, and otherwise. */
const heardMs = 30_000;
const unheardMs = 1_000;

/**
 * Wraps the stores, from the inside out: encrypts, so that a store never sees a secret; filters out what belongs to
 * services that this server does not have; caches briefly; and publishes changes.
 */
export function wrapStores(
  stores: Stores,
  { secrets, services, changes, others = noOtherServers, logger }: Wrapping,
): WrappedStores {
  const known = new KnownServices(services, logger);
  const transients = boxFor('transients', secrets);
  const ttlMs = () => (others.isHearing() ? heardMs : unheardMs);
  const users = new CachedUsers(new KnownUsers(stores.users, known), {
    ttlMs,
    onChange: (userId) => changes.publish({ userId }),
  });
  const sessions = new CachedSessions(stores.sessions, { ttlMs, onEnd: (userId) => changes.publish({ userId }) });
  const grants = new CachedGrants(stores.grants, {
    ttlMs,
    onRevoke: (userId) => changes.publish({ userId }),
    onError: (error) => logger.warn({ err: error }, 'The use of an app could not be recorded'),
  });
  changes.listen(({ userId }) => {
    users.forget(userId);
    sessions.forgetUser(userId);
    grants.forgetUser(userId);
  });
  others.onMissed(() => {
    users.forgetAll();
    sessions.forgetAll();
    grants.forgetAll();
  });
  return {
    users,
    sessions,
    grants,
    activityLog: stores.activityLog,
    clients: sealedClients(stores.clients, transients),
    authorizationCodes: digestedCodes(stores.authorizationCodes),
    connections: wrapConnections(stores.connections, {
      box: boxFor('tokens', secrets),
      changes,
      others,
      logger,
      known,
    }),
    pendingConnects: knownConnects(sealedConnects(stores.pendingConnects, transients), known),
    webhookInbox: new KnownInbox(
      new RecentBodies(new SealedInbox(stores.webhookInbox, boxFor('inbox', secrets))),
      new KnownServices([...services, scheduleService], logger),
    ),
    reactionLog: stores.reactionLog,
    receiptLog: knownReceipts(stores.receiptLog, known),
    webhookRegistrations: knownRegistrations(stores.webhookRegistrations, known),
    noteLinks: stores.noteLinks,
    partyLinks: knownPartyLinks(stores.partyLinks, known),
    leases: stores.leases,
    serverFacts: stores.serverFacts,
    rateLimits: stores.rateLimits,
  };
}
