import type { McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import { noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { Store, Stores } from '#adapters/contracts/stores.ts';
import type { UnreadableRow, UnreadableRows } from '#adapters/contracts/unreadable-rows.ts';
import { sessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { PostgresTurns } from '#adapters/persistence/postgres-turns.ts';
import { pruneSignIns } from '#adapters/persistence/prune-sign-ins.ts';
import { SqlMcpSessions } from '#adapters/persistence/sql-mcp-sessions.ts';
import { signInStoreNames, sqlStoreNames, sqlStores } from '#adapters/persistence/sql-stores.ts';
import { rateLimitsWithFallback } from '#adapters/stores/rate-limits-with-fallback.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import { givenStores } from '#bootstrap/config/given-stores.ts';
import type { PortolanConfig } from '#bootstrap/config/portolan-config.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { openMessages } from '#bootstrap/stores/open-messages.ts';
import type { StorageTrouble } from '#bootstrap/stores/storage.ts';
import { transientStores } from '#bootstrap/stores/transient-stores.ts';
import { publicText } from '#infrastructure/database/database-unavailable.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { lockForServer } from '#infrastructure/database/server-lock.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** The options of the stores. `clock` is for tests; by default the database's own clock is used. */
type StoresOptions = Readonly<{
  settings: Settings;
  stores: PortolanConfig['stores'] | null;
  logger: Logger;
  clock?: Clock | null | undefined;
  /** Whether this process is the server, of which a SQLite database allows only one at a time. */
  isServer?: boolean;
  /** Whether to listen to messages of other servers; commands only publish. */
  hears?: boolean;
  /** Called with each stored row that turns out to be unreadable; by default it is logged. */
  onUnreadable?: (row: UnreadableRow) => void;
  /** Gives up schema changes when it aborts: all of them are undone. */
  stop?: AbortSignal | undefined;
}>;

/** All stores, opened. */
export type OpenStores = Readonly<{
  stores: Stores;
  /** The mutex across the servers that share the database; a no-op for a single server. */
  turns: ServerTurns;
  /** The MCP sessions of the servers that share the database; null for a single server. */
  sessions: McpSessions | null;
  /** The stored rows that had to be left out. */
  unreadable: UnreadableRows;
  /** Resolves when all stores are ready; rejects with the first reason. */
  ready(): Promise<void>;
  /** Returns why the database's file is not the one that was opened; null when it is, or there is none. */
  trouble: () => StorageTrouble | null;
  /** Checks a large SQLite file; returns its damage, or null. Rejects when `stop` aborts. */
  checkIntegrity(stop: AbortSignal): Promise<string | null>;
  /**
   * Removes unused and expired clients, codes, connect flows and counters from the database; returns the number of
   * rows.
   */
  prune(): Promise<number>;
  /** Closes all stores. */
  close(): Promise<void>;
}>;

/**
 * Opens all stores: those of the configuration, and for the rest the database and memory. The server, stdio and all
 * commands get their stores here. The database is opened only if a store uses it.
 */
export async function openStores({
  settings,
  stores: make,
  logger,
  clock = null,
  isServer = false,
  hears = isServer,
  onUnreadable = (row) => logger.warn(row, 'A stored row cannot be read and is skipped'),
  stop,
}: StoresOptions): Promise<OpenStores> {
  const { dataDir, databaseUrl } = settings;
  const given = await givenStores(make, { dataDir, logger, clock: clock ?? systemClock });
  const names = settings.keepsSignIns ? [...sqlStoreNames, ...signInStoreNames] : sqlStoreNames;
  const inDatabase = names.some((name) => given[name] === undefined);
  const closers: Closer[] = distinct(given).map((store) => () => store.close());
  try {
    // Closers run in reverse order, so the lock is released last.
    const lock = inDatabase && isServer ? lockForServer(databaseUrl) : null;
    if (lock !== null) closers.unshift(async () => lock.release());
    const database = inDatabase ? await openDatabase({ url: databaseUrl, entities, migrations, stop }) : null;
    if (database !== null) closers.push(() => database.close());
    database?.rows.onFound(onUnreadable);
    const sql = database === null ? null : sqlStores(database, clock);
    const signIns = settings.keepsSignIns ? sql : null;
    const serverMessages = given.serverMessages ?? (await openMessages({ settings, database, logger, hears }));
    if (given.serverMessages === undefined) closers.push(() => serverMessages.close());
    const memory = transientStores({ isLimiting: settings.RATE_LIMITS });
    // A single server counts faster in memory.
    const limits =
      database?.kind === 'postgres' && sql !== null ? counted(sql.rateLimits, memory.rateLimits) : memory.rateLimits;
    const stores: Stores = {
      serverMessages,
      users: one(given.users ?? sql?.users),
      clients: given.clients ?? signIns?.clients ?? memory.clients,
      authorizationCodes: given.authorizationCodes ?? signIns?.authorizationCodes ?? memory.authorizationCodes,
      sessions: one(given.sessions ?? sql?.sessions),
      identities: one(given.identities ?? sql?.identities),
      grants: one(given.grants ?? sql?.grants),
      activityLog: one(given.activityLog ?? sql?.activityLog),
      auditLog: one(given.auditLog ?? sql?.auditLog),
      keptChanges: one(given.keptChanges ?? sql?.keptChanges),
      approvals: one(given.approvals ?? sql?.approvals),
      allowedOperations: one(given.allowedOperations ?? sql?.allowedOperations),
      connections: one(given.connections ?? sql?.connections),
      pendingConnects: given.pendingConnects ?? signIns?.pendingConnects ?? memory.pendingConnects,
      pendingSignIns: given.pendingSignIns ?? signIns?.pendingSignIns ?? memory.pendingSignIns,
      webhookInbox: one(given.webhookInbox ?? sql?.webhookInbox),
      receiptLog: one(given.receiptLog ?? sql?.receiptLog),
      reactionLog: one(given.reactionLog ?? sql?.reactionLog),
      webhookRegistrations: one(given.webhookRegistrations ?? sql?.webhookRegistrations),
      noteLinks: one(given.noteLinks ?? sql?.noteLinks),
      notifications: one(given.notifications ?? sql?.notifications),
      partyLinks: one(given.partyLinks ?? sql?.partyLinks),
      leases: one(given.leases ?? sql?.leases),
      serverFacts: one(given.serverFacts ?? sql?.serverFacts),
      rateLimits: settings.RATE_LIMITS ? (given.rateLimits ?? limits) : memory.rateLimits,
    };
    return {
      stores,
      turns: database?.kind === 'postgres' ? new PostgresTurns(database) : noTurns,
      sessions: database?.kind === 'postgres' ? new SqlMcpSessions(database, sessionBounds, clock) : null,
      unreadable: database?.rows ?? { all: () => [] },
      ready: () => allReady(stores),
      trouble: () => {
        const found = database?.trouble() ?? null;
        return found === null ? null : { text: publicText(found.reason), detail: found.driverMessage };
      },
      checkIntegrity: async (stop) => database?.checkIntegrity(stop) ?? null,
      prune: async () => (database === null ? 0 : pruneSignIns(database, clock)),
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Rate limits in the database, with a fallback to memory while it is unavailable. */
function counted(database: Stores['rateLimits'], memory: Stores['rateLimits']): Stores['rateLimits'] {
  const limits = rateLimitsWithFallback(database, memory);
  return { ...limits, ready: () => database.ready(), close: () => database.close() };
}

/** Returns each store object once, since one may implement several stores. */
function distinct(stores: Partial<Stores>): readonly Store[] {
  return [...new Set<Store>(Object.values(stores))];
}

function one<Value>(store: Value | undefined): Value {
  if (store === undefined) throw new Error('The database was not opened for a store that is in it.');
  return store;
}

async function allReady(stores: Stores): Promise<void> {
  await Promise.all(distinct(stores).map((store) => store.ready()));
}

type Closer = () => Promise<void>;

/**
 * Closes in reverse order; an error does not prevent the others from being closed, and the first one is thrown at the
 * end.
 */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
