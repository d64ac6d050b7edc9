import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { vendorNameOf } from '#domain/tokens/token-record.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** How long a user that was found is used before it is looked for again, in ms. */
const freshMs = 60_000;

/** The user over whose connection a delivery's record is read, as a function of its service and vendor. */
export type UserOfVendor = (service: ServiceKey, vendor: string | undefined) => Promise<number>;

type VendorUsersDependencies = Readonly<{
  connections: Pick<Connections, 'find' | 'places'>;
  users: Pick<Users, 'find'>;
  clock: Clock;
  /** The automation user's id. */
  userId: number;
  /** The first vendor of each service that has several: that of a connection which names none. */
  firstVendors: ReadonlyMap<ServiceKey, string>;
}>;

/**
 * Finds over whose connection the records of a vendor are read where a service has several: the automation user's, if
 * it is with that vendor, else that of the first active user who has such a connection. Deliveries carry no user of
 * this server (REACT-009).
 */
export class VendorUsers {
  readonly #dependencies: VendorUsersDependencies;
  readonly #found = new Map<string, Readonly<{ userId: number; at: number }>>();

  constructor(dependencies: VendorUsersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the user's id: the automation user's when there is no other, so that its connection is reported as missing. */
  readonly of: UserOfVendor = async (service, vendor) => {
    const { userId, clock } = this.#dependencies;
    if (vendor === undefined || (await this.isAt(userId, service, vendor))) return userId;
    const key = `${service} ${vendor}`;
    const known = this.#found.get(key);
    if (known !== undefined && clock.now() - known.at < freshMs) return known.userId;
    const found = (await this.#search(service, vendor)) ?? userId;
    this.#found.set(key, { userId: found, at: clock.now() });
    return found;
  };

  async #search(service: ServiceKey, vendor: string): Promise<number | null> {
    const { connections, users } = this.#dependencies;
    for (const place of await connections.places()) {
      if (place.service !== service || !(await this.isAt(place.userId, service, vendor))) continue;
      const user = await users.find(place.userId);
      if (user !== null && isActive(user) && isPermitted(user, service)) return place.userId;
    }
    return null;
  }

  /** Whether a user's connection to a service is with this vendor. */
  async isAt(userId: number, service: ServiceKey, vendor: string): Promise<boolean> {
    const { connections, firstVendors } = this.#dependencies;
    const connection = await connections.find(userId, service);
    return connection !== null && (vendorNameOf(connection.record) ?? firstVendors.get(service)) === vendor;
  }
}
