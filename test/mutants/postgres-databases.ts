import type { Subject } from '#test/contracts/kit/subject.ts';
import { urlOf } from '#test/mutants/planted-sources.ts';
import type { SqlStore } from '#test/support/contracts/sql-subject.ts';
import { startPostgres, type TestPostgres } from '#test/support/persistence/postgres.ts';

/** The name under which mutants run on PostgreSQL. */
export const onPostgres = 'PostgreSQL';

/** An empty database: the subject that a store is in it, and how to throw it away. */
export type MutantDatabase = Readonly<{
  subjectOf<Port>(store: SqlStore<Port>): Subject<Port>;
  close(): Promise<void>;
}>;

let starting: Promise<TestPostgres | string> | null = null;

/** The server that all mutants share, started when it is first asked for; a sentence that says why when there is none. */
export function postgresServer(): Promise<TestPostgres | string> {
  starting ??= startPostgres();
  return starting;
}

/** Ends the server, where one was started. */
export async function endPostgres(): Promise<void> {
  const server = await starting;
  if (server !== null && typeof server !== 'string') await server.stop();
}

/** Opens a fresh database as the mutant's sources do: with its schema changes, its tables and its driver. */
export async function openMutantDatabase(mutant: string): Promise<MutantDatabase> {
  const server = await postgresServer();
  if (typeof server === 'string') throw new Error(server);
  const databases: typeof import('#test/support/persistence/test-database.ts') = await import(
    urlOf('test/support/persistence/test-database.ts', mutant)
  );
  const subjects: typeof import('#test/support/contracts/sql-subject.ts') = await import(
    urlOf('test/support/contracts/sql-subject.ts', mutant)
  );
  const opened = await databases.openTestPostgres(server.url);
  return {
    subjectOf: (store) => subjects.postgresSubject({ ...store, name: onPostgres }, () => opened),
    close: () => opened.close(),
  };
}
