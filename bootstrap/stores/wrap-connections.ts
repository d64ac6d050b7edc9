import { CachedConnections } from '#adapters/stores/cached-connections.ts';
import { KnownConnections } from '#adapters/stores/known-connections.ts';
import type { KnownServices } from '#adapters/stores/known-services.ts';
import { NotifyingConnections } from '#adapters/stores/notifying-connections.ts';
import { SealedConnections, type TokenBox } from '#adapters/stores/sealed-connections.ts';
import { TeamVault } from '#adapters/stores/team-vault.ts';
import type { AccountChanges } from '#application/ports/account-changes.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';

/** The connections as used by all callers, and the layer that offers the team's vault. */
export type WrappedConnections = Readonly<{ connections: Connections; teamVault: TeamVault }>;

/** How long connections are cached, in ms: while changes by other servers are received, and otherwise. */
const heardMs = 30_000;
const unheardMs = 2_000;

/**
 * Wraps a store of connections, from the inside out: filters out services that this server does not have; encrypts, so
 * that the store never sees a secret; adds the team's vault, which is not stored; publishes changes; and caches briefly,
 * invalidated by each change before other listeners are notified.
 */
export function wrapConnections(
  store: Connections,
  {
    box,
    changes,
    logger,
    known,
    others = noOtherServers,
  }: Readonly<{
    box: TokenBox;
    changes: AccountChanges;
    logger: Logger;
    known: KnownServices;
    others?: OtherServers;
  }>,
): WrappedConnections {
  const sealed = new SealedConnections(new KnownConnections(store, known), box, (place, { message }) =>
    logger.error({ ...place, error: message }, 'The tokens of a connection cannot be opened; it needs its user'),
  );
  const teamVault = new TeamVault(sealed);
  const publish = (userId: number): void => {
    connections.forget(userId);
    changes.publish({ userId });
  };
  const connections = new CachedConnections(new NotifyingConnections(teamVault, publish), {
    ttlMs: () => (others.isHearing() ? heardMs : unheardMs),
  });
  others.onMissed(() => connections.forgetAll());
  changes.listen(({ userId }) => connections.forget(userId));
  return { connections, teamVault };
}
