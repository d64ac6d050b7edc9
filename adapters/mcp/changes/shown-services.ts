import type { ServiceKey } from '#domain/services/service-key.ts';
import { isLimited, isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The lists whose changes a client can be notified of. */
export const listKinds = ['tools', 'prompts', 'resources'] as const;

/** One of them. */
export type ListKind = (typeof listKinds)[number];

/**
 * What a user's lists depend on, as a bit mask: the services they may use, and above them those that they are also
 * connected to.
 */
export type ShownServices = number;

/** The maximum number of services: two bits each have to fit into the 53 of a whole number, as which they are stored. */
export const maxServices = 26;

const usableShift = BigInt(maxServices);

/**
 * The services whose changes a connection opened by this user may be notified of: with a limited access token that names
 * no grant, which could change, those of the token; null for all.
 */
export function grantedServices(user: User): readonly ServiceKey[] | null {
  return isLimited(user) && (user.app?.grantId ?? null) === null ? user.permissions : null;
}

/**
 * Computes what the lists of a user depend on, among the services granted to a connection (null for all); `all` are
 * those of this server.
 */
export function shownServices(
  user: User,
  connected: ReadonlySet<ServiceKey>,
  granted: readonly ServiceKey[] | null,
  all: readonly ServiceKey[],
): ShownServices {
  let shown = 0n;
  for (const [place, service] of all.entries()) {
    if (!isPermitted(user, service) || granted?.includes(service) === false) continue;
    shown |= bit(place);
    if (connected.has(service)) shown |= bit(place) << usableShift;
  }
  return Number(shown);
}

/**
 * The lists that changed, for a client that chose these services (null for all): tools depend on connections, prompts
 * on rights, notes on the vault.
 */
export function changedLists(
  before: ShownServices,
  after: ShownServices,
  chosen: readonly ServiceKey[] | null,
  all: readonly ServiceKey[],
): readonly ListKind[] {
  const permitted = maskOf(chosen ?? all, all);
  const masks = {
    tools: permitted << usableShift,
    prompts: permitted,
    resources: maskOf(['vault'], all) << usableShift,
  };
  const changed = BigInt(before) ^ BigInt(after);
  return listKinds.filter((kind) => (changed & masks[kind]) !== 0n);
}

/** Whether the user may use the service and is connected to it. */
export function isUsable(shown: ShownServices, service: ServiceKey, all: readonly ServiceKey[]): boolean {
  return (BigInt(shown) & (maskOf([service], all) << usableShift)) !== 0n;
}

function maskOf(services: readonly ServiceKey[], all: readonly ServiceKey[]): bigint {
  return all.reduce((mask, service, place) => (services.includes(service) ? mask | bit(place) : mask), 0n);
}

const bit = (place: number): bigint => 1n << BigInt(place);
