import type { AccountChange, Changes } from '#adapters/contracts/changes.ts';
import type { Store, Stores } from '#adapters/contracts/stores.ts';
import {
  type CachedGrants,
  type CachedUses,
  cachedConnections,
  cachedGrants,
  cachedSessions,
  cachedUsers,
} from '#adapters/stores/cached-stores.ts';
import { grantsWithChoices, usersWithChanges } from '#adapters/stores/gone-with.ts';
import {
  KnownServices,
  knownConnections,
  knownConnects,
  knownInbox,
  knownPartyLinks,
  knownReceipts,
  knownRegistrations,
  knownUsers,
} from '#adapters/stores/known-stores.ts';
import {
  notifyingApprovals,
  notifyingConnections,
  notifyingReactionLog,
  notifyingUsers,
} from '#adapters/stores/notifying-stores.ts';
import { openConnections } from '#adapters/stores/open-connections.ts';
import { recentBodies } from '#adapters/stores/recent-bodies.ts';
import { sealedApprovals, sealedKeptChanges } from '#adapters/stores/sealed-changes.ts';
import {
  digestedCodes,
  sealedClients,
  sealedConnections,
  sealedConnects,
  sealedInbox,
  sealedSignIns,
} from '#adapters/stores/sealed-stores.ts';
import { type TeamVault, teamVault } from '#adapters/stores/team-vault.ts';
import type { Notify } from '#application/notifications/notify.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { scheduleService } from '#domain/events/schedule-event.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The stores as used by use cases and interfaces, and the layer of the connections that offers the team's vault. */
export type WrappedStores = Readonly<
  {
    [Name in Exclude<
      keyof Stores,
      'approvals' | 'connections' | 'grants' | 'keptChanges' | 'serverMessages' | 'sessions' | 'webhookInbox'
    >]: Omit<Stores[Name], keyof Store>;
  } & {
    connections: Connections;
    teamVault: TeamVault;
    grants: CachedGrants;
    sessions: CachedUses<Sessions>;
    webhookInbox: WebhookInbox;
    approvals: Approvals;
    keptChanges: KeptChanges;
  }
>;

/** The dependencies for wrapping stores. */
type Wrapping = Readonly<{
  secrets: readonly string[];
  services: readonly ServiceKey[];
  /** The services to which everybody is connected; none by default. */
  open?: readonly ServiceKey[];
  changes: Changes<AccountChange>;
  /** Nobody is notified when not given. */
  notify?: Notify | null;
  /** No other servers when not given. */
  others?: OtherServers;
  logger: Logger;
}>;

/** How long a value is cached, in ms, while changes by other servers are received; and otherwise. */
const heardMs = 30_000;
const unheardMs = 1_000;
const unheardConnectionMs = 2_000;
/** Since when people are connected to services to which nobody connects, in Unix ms: always. */
const openSince = 0;

/**
 * Wraps the stores. From the inside out, a layer filters out what belongs to services that this server does not have;
 * encrypts, so that a store never sees a secret; adds the team's vault, which is not stored; and caches briefly. A change
 * through a cache invalidates it, and is then published once.
 */
export function wrapStores(
  stores: Stores,
  { secrets, services, open = [], changes, others = noOtherServers, notify = null, logger }: Wrapping,
): WrappedStores {
  const {
    activityLog,
    auditLog,
    allowedOperations,
    identities,
    noteLinks,
    leases,
    notifications,
    serverFacts,
    rateLimits,
  } = stores;
  const known = new KnownServices(services, logger);
  const knownSenders = new KnownServices([...services, scheduleService], logger);
  const transients = boxFor('transients', secrets);
  const onChange = (userId: number) => changes.publish({ userId });
  const caching = { ttlMs: () => (others.isHearing() ? heardMs : unheardMs), onChange };

  const ofChanges = boxFor('changes', secrets);
  const keptChanges = sealedKeptChanges(stores.keptChanges, ofChanges);
  const sealed = sealedApprovals(stores.approvals, ofChanges);
  const approvals = notify === null ? sealed : notifyingApprovals(sealed, notify);
  const reactionLog = notify === null ? stores.reactionLog : notifyingReactionLog(stores.reactionLog, notify);
  const choices = [approvals, allowedOperations];
  const usersOfServer = usersWithChanges(knownUsers(stores.users, known), { kept: keptChanges, choices });
  const users = cachedUsers(notifyingUsers(usersOfServer, notify, notifications), caching);
  const sessions = cachedSessions(stores.sessions, {
    ...caching,
    onError: (error) => logger.warn({ err: error }, 'The use of a session could not be recorded'),
  });
  const grants = cachedGrants(grantsWithChoices(stores.grants, choices), {
    ...caching,
    onError: (error) => logger.warn({ err: error }, 'The use of an app could not be recorded'),
  });
  const vault = teamVault(
    sealedConnections(knownConnections(stores.connections, known), boxFor('tokens', secrets), (place, { message }) =>
      logger.error({ ...place, error: message }, 'The tokens of a connection cannot be decrypted'),
    ),
  );
  const offered = openConnections(vault, open, openSince);
  const connections = cachedConnections(notify === null ? offered : notifyingConnections(offered, notify), {
    ttlMs: () => (others.isHearing() ? heardMs : unheardConnectionMs),
    onChange,
  });

  const caches = [users, sessions, grants, connections];
  changes.listen(({ userId }) => {
    for (const cache of caches) cache.forgetUser(userId);
  });
  others.onMissed(() => {
    for (const cache of caches) cache.forgetAll();
  });
  return {
    users,
    sessions,
    grants,
    connections,
    teamVault: vault,
    clients: sealedClients(stores.clients, transients),
    authorizationCodes: digestedCodes(stores.authorizationCodes),
    pendingConnects: knownConnects(sealedConnects(stores.pendingConnects, transients), known),
    pendingSignIns: sealedSignIns(stores.pendingSignIns, transients),
    webhookInbox: knownInbox(recentBodies(sealedInbox(stores.webhookInbox, boxFor('inbox', secrets))), knownSenders),
    receiptLog: knownReceipts(stores.receiptLog, known),
    webhookRegistrations: knownRegistrations(stores.webhookRegistrations, known),
    partyLinks: knownPartyLinks(stores.partyLinks, known),
    activityLog,
    auditLog,
    keptChanges,
    approvals,
    allowedOperations,
    identities,
    reactionLog,
    noteLinks,
    notifications,
    leases,
    serverFacts,
    rateLimits,
  };
}
