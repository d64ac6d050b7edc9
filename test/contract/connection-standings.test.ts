import { MikroOrmConnectionStandings } from '#adapters/persistence/mikro-orm-connection-standings.ts';
import { connectionStandingsContract } from '#test/contract/connection-standings.contract.ts';
import { MemoryConnectionStandings } from '#test/doubles/memory-connection-standings.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

connectionStandingsContract('memory', async () => ({
  standings: new MemoryConnectionStandings(),
  close: async () => undefined,
}));

connectionStandingsContract('SQLite', async () => {
  const { database, close } = await openTestSqlite();
  return { standings: new MikroOrmConnectionStandings(database), close };
});
