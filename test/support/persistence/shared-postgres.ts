import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres } from '#test/support/persistence/test-database.ts';

/**
 * Starts one PostgreSQL for all files of a run, unless one is given, with a database of all tables that tests get copies of: each would
 * start its own otherwise, and create the tables again. Returns how to end it. Where none can be had, each test says so.
 */
export default async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  if ((process.env['TEST_POSTGRES_URL'] ?? '') !== '') return undefined;
  const server = await startPostgres();
  if (typeof server === 'string') return undefined;
  const { database, url } = await openTestPostgres(server.url);
  await database.close();
  process.env['TEST_POSTGRES_URL'] = server.url;
  process.env['TEST_POSTGRES_TEMPLATE'] = new URL(url).pathname.slice(1);
  return () => server.stop();
}
