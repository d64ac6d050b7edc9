import { CachedConnections } from '#adapters/connections/cached-connections.ts';
import { NotifyingConnections } from '#adapters/connections/notifying-connections.ts';
import { SealedConnections, type TokenBox } from '#adapters/connections/sealed-connections.ts';
import { TeamVault } from '#adapters/connections/team-vault.ts';
import { KnownConnections } from '#adapters/stores/known-connections.ts';
import type { KnownServices } from '#adapters/stores/known-services.ts';
import type { AccountChanges } from '#application/ports/account-changes.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';

/** The connections as all callers use them, and the layer in which the team's vault is offered. */
export type WrappedConnections = Readonly<{ connections: Connections; teamVault: TeamVault }>;

/** How long answers are remembered, in ms: while every change is heard, and otherwise. */
const heardMs = 30_000;
const unheardMs = 2_000;

/**
 * Wraps a store of connections, from the inside out: without those to services that this server does not have; in
 * encryption, so that the store never sees a secret; the team's vault, which is not stored; publishing of each change;
 * and a short cache, which a change published anywhere clears before anybody else hears of it.
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
