import { LRUCache } from 'lru-cache';
import { forwarding } from '#adapters/stores/forwarding.ts';
import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import { type AppGrant, usePrecisionMs } from '#domain/oauth/app-grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import type { User } from '#domain/users/user.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/**
 * The TTL in ms, the maximum number of entries, a monotonic clock in ms, and a callback with the user of each change
 * that is made through the cache, called when it is stored and the cache is invalidated.
 */
export type CacheOptions = Readonly<{
  ttlMs?: Lifetime;
  max?: number;
  now?: () => number;
  onChange?: (userId: number) => void;
}>;

/** Invalidates what is cached, because it changed elsewhere. */
type Invalidation = Readonly<{
  forgetUser(userId: number): void;
  /** Invalidates everything, since changes may have been missed. */
  forgetAll(): void;
}>;

/**
 * A store whose most frequent reads are cached. Changes made through it are seen at once; those by another process
 * after the TTL at the latest, or when they are invalidated.
 */
export type Cached<Store> = Store & Invalidation;

/** Caches `find` and `overview`. */
export function cachedConnections(
  inner: Connections,
  { ttlMs = 2_000, max = 1_000, now = () => performance.now(), onChange = () => {} }: CacheOptions = {},
): Cached<Connections> {
  // Expired entries are purged at once, so that decrypted credentials do not linger in memory.
  const known = new ReadThrough<string, Readonly<{ connection: StoredConnection | null }>>({
    max,
    ttl: ttlMs,
    ttlAutopurge: true,
    perf: { now },
  });
  const overviews = new ReadThrough<number, ConnectionOverview>({ max: 10 * max, ttl: ttlMs, perf: { now } });
  const forgetUser = (userId: number): void => {
    known.forgetWhere((key) => key.startsWith(connectionKey(userId, '')));
    overviews.forget(userId);
  };
  /** Invalidates the connection once `done` settles, whether it succeeds or fails. */
  const forgetting = async <Value>({ userId, service }: ConnectionPlace, done: Promise<Value>): Promise<Value> => {
    try {
      return await done;
    } finally {
      known.forget(connectionKey(userId, service));
      overviews.forget(userId);
    }
  };
  const changing = async <Value>(place: ConnectionPlace, done: Promise<Value>): Promise<Value> => {
    const isChanged = await forgetting(place, done);
    if (isChanged !== false) onChange(place.userId);
    return isChanged;
  };
  const cached = forwarding(inner, {
    find: async (userId, service) => {
      const read = async () => frozen({ connection: await inner.find(userId, service) });
      return (await known.get(connectionKey(userId, service), read)).connection;
    },
    overview: async (userId) => {
      const { services, isInTeamVault } = await overviews.get(userId, () => inner.overview(userId));
      return { services: new Set(services), isInTeamVault };
    },
    reload: (userId, service) => forgetting({ userId, service }, inner.reload(userId, service)),
    save: (record, status) => changing(record, inner.save(record, status)),
    replace: (before, after) => changing(before, inner.replace(before, after)),
    changeStatus: (place, status) => changing(place, inner.changeStatus(place, status)),
    remove: (userId, service) => changing({ userId, service }, inner.remove(userId, service)),
  });
  const forgetAll = () => {
    known.forgetWhere(() => true);
    overviews.forgetWhere(() => true);
  };
  return Object.assign(cached, { forgetUser, forgetAll });
}

function connectionKey(userId: number, service: ServiceKey): string {
  return `${userId}/${service}`;
}

/** How precisely it is recorded when users were last here, in ms. */
const seenPrecisionMs = 300_000;

/**
 * Caches `find` of users. Missing users are not cached. When a user was last here is stored at most every five minutes,
 * without delaying the caller; nothing fails when it cannot be.
 */
export function cachedUsers(
  users: Users,
  { ttlMs = 1_000, max = 10_000, onChange = () => {} }: CacheOptions = {},
): Cached<Users> {
  const known = new ReadThrough<number, User>({ max, ttl: ttlMs });
  const seen = new LRUCache<number, number>(entriesUpTo(20_000));
  const cached = forwarding(users, {
    find: (id) => known.get(id, async () => frozen(await users.find(id))),
    change: async (id, change) => {
      const isChanged = await users.change(id, change);
      known.forget(id);
      onChange(id);
      return isChanged;
    },
    noteSeen: async (id, at) => {
      if (at - (seen.get(id) ?? Number.NEGATIVE_INFINITY) < seenPrecisionMs) return;
      seen.set(id, at);
      await users.noteSeen(id, at).catch(() => undefined);
    },
    remove: async (id) => {
      const isRemoved = await users.remove(id);
      known.forget(id);
      onChange(id);
      return isRemoved;
    },
  });
  return Object.assign(cached, {
    forgetUser: (id: number) => known.forget(id),
    forgetAll: () => known.forgetWhere(() => true),
  });
}

/** The options of what notes its uses: one that could not be stored is passed to `onError`. */
type NotingOptions = CacheOptions & Readonly<{ onError?: (error: unknown) => void }>;

/** Cached values whose uses are stored without delaying the caller. */
export type CachedUses<Store> = Cached<Store> &
  Readonly<{
    /** Resolves when all uses recorded so far are stored. */
    settled(): Promise<void>;
  }>;

/** Stores at most one use of each value per minute, and delays nobody. */
function notedUses(
  note: (id: string, at: number) => Promise<void>,
  { max = 10_000, onError = () => {} }: NotingOptions,
) {
  const noted = new LRUCache<string, number>(entriesUpTo(max));
  let writing: Promise<unknown> = Promise.resolve();
  return {
    noteUse: async (id: string, at: number): Promise<void> => {
      const last = noted.get(id);
      if (last !== undefined && at - last < usePrecisionMs) return;
      noted.set(id, at);
      writing = Promise.all([writing, note(id, at).catch(onError)]);
    },
    settled: async (): Promise<void> => void (await writing),
  };
}

/**
 * Caches `find` of sessions, including misses, and stores at most one use of a session per minute. A session that ends
 * through this instance is over at once.
 */
export function cachedSessions(sessions: Sessions, options: NotingOptions = {}): CachedUses<Sessions> {
  const { onChange = () => {} } = options;
  const { find, forget, ...rest } = foundById<PersonSession>((id) => sessions.find(id), options);
  const { noteUse, settled } = notedUses((id, at) => sessions.noteSeen(id, at), options);
  const cached = forwarding(sessions, {
    find,
    begin: async (session) => {
      await sessions.begin(session);
      forget(session.id);
    },
    extend: async (id, expiresAt) => {
      await sessions.extend(id, expiresAt);
      forget(id);
    },
    end: async (userId, id) => {
      const isEnded = await sessions.end(userId, id);
      forget(id);
      if (isEnded) onChange(userId);
      return isEnded;
    },
    endAll: async (userId) => {
      const ended = await sessions.endAll(userId);
      rest.forgetUser(userId);
      if (ended > 0) onChange(userId);
      return ended;
    },
    noteSeen: noteUse,
  });
  return Object.assign(cached, rest, { settled });
}

/** Cached grants. */
export type CachedGrants = CachedUses<Grants>;

/**
 * Caches `find` of grants, including misses, and stores at most one use of a grant per minute without delaying the
 * caller. A use that could not be stored is passed to `onError`; the call that used the grant does not fail.
 */
export function cachedGrants(grants: Grants, options: NotingOptions = {}): CachedGrants {
  const { onChange = () => {} } = options;
  const { find, forget, ...rest } = foundById<AppGrant>((id) => grants.find(id), options);
  const { noteUse, settled } = notedUses((id, at) => grants.noteUse(id, at), options);
  const cached = forwarding(grants, {
    find,
    keep: async (grant) => {
      await grants.keep(grant);
      forget(grant.id);
    },
    noteUse,
    change: async (userId, id, change) => {
      const isChanged = await grants.change(userId, id, change);
      forget(id);
      if (isChanged) onChange(userId);
      return isChanged;
    },
    remove: async (userId, id) => {
      const isRemoved = await grants.remove(userId, id);
      forget(id);
      if (isRemoved) onChange(userId);
      return isRemoved;
    },
  });
  return Object.assign(cached, rest, { settled });
}

/** Caches what users have by its id. Misses are cached too, and belong to no user. */
function foundById<Value extends Readonly<{ userId: number }>>(
  read: (id: string) => Promise<Value | null>,
  { ttlMs = 1_000, max = 10_000 }: CacheOptions,
) {
  const known = new ReadThrough<string, Readonly<{ value: Value | null }>>({ max, ttl: ttlMs });
  return {
    find: async (id: string) => (await known.get(id, async () => ({ value: frozen(await read(id)) }))).value,
    forget: (id: string) => known.forget(id),
    forgetUser: (userId: number) => known.forgetWhere((_, { value }) => value === null || value.userId === userId),
    forgetAll: () => known.forgetWhere(() => true),
  };
}
