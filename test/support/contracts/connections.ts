import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { cachedConnections } from '#adapters/stores/cached-stores.ts';
import { sealedConnections } from '#adapters/stores/sealed-stores.ts';
import { teamVault } from '#adapters/stores/team-vault.ts';
import type { ConnectionStore, Connections } from '#application/ports/connections.ts';
import type { ConnectionsSubject } from '#test/contracts/connections.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const tables = ['outbound_tokens', 'connection_standings'];

/** The connections in a database. */
export const sqlConnections: SqlStore<ConnectionStore> = {
  tables,
  make: (database) => new MikroOrmConnections(database),
};

/** The connections in a database, encrypted and cached. */
export const wrappedSqlConnections: SqlStore<Connections> = {
  name: 'encrypted and cached over SQLite',
  tables,
  make: (database) => cachedConnections(teamVault(sealedConnections(new MikroOrmConnections(database), testBox))),
};

/** A subject that says whether its tokens are encrypted. */
export function encrypted<One extends Readonly<{ supports: object }>>(subject: One, is: boolean) {
  return { ...subject, supports: { ...subject.supports, encrypted: is } };
}

/** The stores of connections that this project has. */
export const connectionStores: readonly ConnectionsSubject<ConnectionStore, Opened<ConnectionStore>>[] = [
  encrypted(
    memorySubject<ConnectionStore>('memory', () => new MemoryConnections()),
    false,
  ),
  encrypted(sqliteSubject(sqlConnections), false),
];

/** The connections as the server wraps them. */
export const wrappedConnections: readonly ConnectionsSubject<Connections, Opened<Connections>>[] = [
  encrypted(sqliteSubject(wrappedSqlConnections), true),
];
