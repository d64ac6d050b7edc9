import { forwarding } from '#adapters/stores/forwarding.ts';
import type { ConnectionPlace, Connections, StoredConnection } from '#application/ports/connections.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/** Connections that may include the team's vault; `serve` offers it to all users from then on (Unix ms). */
export type TeamVault = Connections & Readonly<{ serve(since: number): void }>;

/**
 * Gives users without a vault of their own a connection to the team's vault, which this process serves. That connection
 * is answered from memory and never stored: it has no address and no key, and this process does its operations itself.
 * Access is governed by the permission `vault`, which is checked where a connection is used.
 */
export function teamVault(stored: Connections): TeamVault {
  let servedSince: number | null = null;
  /** The status of the team's vault per user who has had one recorded. */
  const statuses = new Map<number, ConnectionStatus>();

  const orTeams = ({ userId, service }: ConnectionPlace, found: StoredConnection | null): StoredConnection | null => {
    if (service !== 'vault' || servedSince === null || isOwn(found)) return found;
    const status = statuses.get(userId) ?? connectedSince(servedSince);
    return { record: teamRecord(userId, servedSince), status };
  };
  const find: Connections['find'] = async (userId, service) =>
    orTeams({ userId, service }, await stored.find(userId, service));
  const connections = forwarding(stored, {
    find,
    reload: async (userId, service) => orTeams({ userId, service }, await stored.reload(userId, service)),
    list: async (userId) => {
      const all = await stored.list(userId);
      const own = all.find(({ record }) => record.service === 'vault') ?? null;
      const vault = orTeams({ userId, service: 'vault' }, own);
      const others = all.filter(({ record }) => record.service !== 'vault');
      return vault === null ? others : [...others, vault];
    },
    statesOf: async (userIds) => {
      const all = await stored.statesOf(userIds);
      if (servedSince === null) return all;
      const own = new Set(all.filter(({ service }) => service === 'vault').map(({ userId }) => userId));
      const teams = userIds.filter((userId) => !own.has(userId));
      const service = 'vault';
      return [
        ...all,
        ...teams.map((userId) => ({
          userId,
          service,
          state: statuses.get(userId)?.state ?? 'connected',
          isTeams: true,
        })),
      ];
    },
    overview: async (userId) => {
      const { services } = await stored.overview(userId);
      if (servedSince === null) return { services, isInTeamVault: false };
      if (!services.has('vault')) return { services: new Set([...services, 'vault']), isInTeamVault: true };
      const vault = await find(userId, 'vault');
      return { services, isInTeamVault: vault !== null && isTeams(vault.record) };
    },
    dueForProbe: async (now) => {
      const due = [...statuses].filter(
        ([, { rejections }]) => rejections?.probeAt != null && rejections.probeAt <= now,
      );
      return [...(await stored.dueForProbe(now)), ...due.map(([userId]) => ({ userId, service: 'vault' }) as const)];
    },
    changeStatus: async (place, status) => {
      const connection = place.service === 'vault' ? await find(place.userId, 'vault') : null;
      if (connection === null || !isTeams(connection.record)) return stored.changeStatus(place, status);
      statuses.set(place.userId, status);
      return true;
    },
  });
  const serve = (since: number) => {
    servedSince = since;
    statuses.clear();
  };
  return Object.assign(connections, { serve });
}

/** Whether the user connected this vault themselves; one that came from the settings gives way to the team's. */
function isOwn(stored: StoredConnection | null): boolean {
  return stored !== null && stored.record.extra['from_settings'] !== true;
}

function teamRecord(userId: number, since: number): TokenRecord {
  return {
    userId,
    service: 'vault',
    authMethod: 'api_key',
    accessToken: 'unused',
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: { embedded: true },
    updatedAt: since,
  };
}
