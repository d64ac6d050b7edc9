import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SealedRemoteClients } from '#adapters/stores/sealed-remote.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const parts = { box: testBox, random: systemRandom, pause: (ms: number) => delay(ms) };

/** The clients at authorization servers of remote MCP servers, in a database. */
export const sqlRemoteClients: SqlStore<RemoteClients> = {
  tables: ['server_facts', 'leases'],
  make: (database, { clock }) =>
    new SealedRemoteClients({
      ...parts,
      facts: new DatabaseServerFacts(database),
      leases: new SqlLeases(database, clock),
    }),
};

/** The stores of such clients that this project has. */
export const remoteClientStores = [
  memorySubject<RemoteClients>(
    'memory',
    ({ clock }) =>
      new SealedRemoteClients({ ...parts, facts: new MemoryServerFacts(), leases: new MemoryLeases(clock) }),
  ),
  sqliteSubject(sqlRemoteClients),
];
