import { forwarding } from '#adapters/stores/forwarding.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { Users } from '#application/ports/users.ts';
import type { InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** What names a service. */
type OfService = Readonly<{ service: ServiceKey }>;

/** The services of this server, used to hide stored rows of services that were removed from the configuration. */
export class KnownServices {
  readonly keys: readonly ServiceKey[];
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #reported = new Set<string>();

  constructor(keys: readonly ServiceKey[], logger: Pick<Logger, 'warn'>) {
    this.keys = keys;
    this.#logger = logger;
  }

  /** Whether the service is one of this server. The first row of each store that names another is logged. */
  has(service: ServiceKey, store: string): boolean {
    if (this.keys.includes(service)) return true;
    const place = `${store}/${service}`;
    if (!this.#reported.has(place))
      this.#logger.warn({ store, service }, 'Stored rows of an unknown service are ignored');
    this.#reported.add(place);
    return false;
  }

  /** The rows of a store whose services are of this server. */
  of<Row extends OfService>(rows: readonly Row[], store: string): readonly Row[] {
    return rows.filter(({ service }) => this.has(service, store));
  }

  /** The row, or null when its service is not one of this server. */
  orNull<Row extends OfService>(row: Row | null, store: string): Row | null {
    return row !== null && this.has(row.service, store) ? row : null;
  }
}

/** Hides connections to services that this server does not have, and lists the others in the order of its services. */
export function knownConnections(inner: Connections, services: KnownServices): Connections {
  const store = 'connections';
  return forwarding(inner, {
    list: async (userId) => {
      const all = await inner.list(userId);
      const known = all.filter(({ record }) => services.has(record.service, store));
      return services.keys.flatMap((service) => known.filter(({ record }) => record.service === service));
    },
    overview: async (userId) => {
      const overview = await inner.overview(userId);
      return {
        ...overview,
        services: new Set([...overview.services].filter((service) => services.has(service, store))),
      };
    },
    statesOf: async (userIds) => services.of(await inner.statesOf(userIds), store),
    renewable: async (due) => services.of(await inner.renewable(due), store),
    dueForProbe: async (now) => services.of(await inner.dueForProbe(now), store),
  });
}

/**
 * Hides permissions for services that this server does not have. They stay stored when the others change: another server
 * on the database may have the service, or this one after its next start.
 */
export function knownUsers(inner: Users, services: KnownServices): Users {
  const known = (user: User): User => {
    const permissions = user.permissions.filter((service) => services.has(service, 'users'));
    return permissions.length === user.permissions.length ? user : { ...user, permissions };
  };
  return forwarding(inner, {
    find: async (id) => {
      const user = await inner.find(id);
      return user === null ? null : known(user);
    },
    findByEmail: async (email) => {
      const found = await inner.findByEmail(email);
      return found === null ? null : { ...found, user: known(found.user) };
    },
    list: async () => (await inner.list()).map(known),
    page: async (query) => (await inner.page(query)).map(known),
    findAll: async (ids) => (await inner.findAll(ids)).map(known),
    add: async (user, notifications) => {
      const added = await inner.add(user, notifications);
      return added.ok ? ok(known(added.value)) : added;
    },
    change: async (id, change) => {
      if (change.permissions === undefined) return inner.change(id, change);
      const stored = (await inner.findAll([id]))[0]?.permissions ?? [];
      const hidden = stored.filter((service) => !services.keys.includes(service));
      return inner.change(id, { ...change, permissions: [...change.permissions, ...hidden] });
    },
  });
}

/** How long a due entry of an unknown service is postponed, in ms. */
const postponeMs = 3_600_000;

/**
 * Hides deliveries of services that this server does not have: they are neither shown nor processed, but stay stored.
 */
export function knownInbox(inner: WebhookInbox, services: KnownServices): WebhookInbox {
  const store = 'webhookInbox';
  const find = async (seq: number) => services.orNull(await inner.find(seq), store);
  return forwarding(inner, {
    find,
    claim: async (claim) => {
      const claimed = await inner.claim(claim);
      const known = services.of(claimed, store);
      for (const entry of claimed) {
        if (known.includes(entry)) continue;
        // Releases the claim without counting an attempt, so that the entry is kept until its service is back.
        const { error, calls } = entry;
        await inner.end(entry, { kind: 'waits', error, delayMs: postponeMs, calls });
      }
      return known;
    },
    list: async (query) => {
      const found: InboxEntry[] = [];
      for (let place = {}; ; ) {
        const limit = query.limit - found.length;
        const page = await inner.list({ ...query, ...place, limit });
        found.push(...services.of(page, store));
        const last = page.at(-1);
        if (last === undefined || page.length < limit || found.length === query.limit) return found;
        place = { before: last.seq };
      }
    },
    search: async (query) => {
      const { entries, searchedTo } = await inner.search(query);
      return { entries: services.of(entries, store), searchedTo };
    },
    awaited: async () => (await inner.awaited()).filter((service) => services.has(service, store)),
    replay: async (seq) => (await find(seq)) !== null && inner.replay(seq),
    skip: async (seq) => (await find(seq)) !== null && inner.skip(seq),
  });
}

/** Hides the registrations of services that this server does not have. */
export function knownRegistrations(inner: WebhookRegistrations, services: KnownServices): WebhookRegistrations {
  return forwarding(inner, { list: async () => services.of(await inner.list(), 'webhookRegistrations') });
}

/** Hides the receipts of services that this server does not have. */
export function knownReceipts(inner: ReceiptLog, services: KnownServices): ReceiptLog {
  return forwarding(inner, {
    uses: async () => services.of(await inner.uses(), 'receiptLog'),
    stale: async (limit) => services.of(await inner.stale(limit), 'receiptLog'),
  });
}

/** Hides the records of services that this server does not have. */
export function knownPartyLinks(inner: PartyLinks, services: KnownServices): PartyLinks {
  return forwarding(inner, {
    findByRemote: async (kind, remoteId) => services.orNull(await inner.findByRemote(kind, remoteId), 'partyLinks'),
  });
}

/** Hides pending connects to services that this server does not have. */
export function knownConnects(inner: PendingConnects, services: KnownServices): PendingConnects {
  return forwarding(inner, { take: async (state) => services.orNull(await inner.take(state), 'pendingConnects') });
}
