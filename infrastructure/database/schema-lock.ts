import type { SqlEntityManager } from '@mikro-orm/sqlite';

/** The number of the advisory lock, of nothing else in a database of ours. */
const lockNumber = 7_239_041;

/**
 * Runs the work while no other server of the PostgreSQL database runs its own: servers that start at once change the schema one after the
 * other. PostgreSQL ends the lock with the transaction, also when the process is killed.
 */
export function underSchemaLock(em: SqlEntityManager, work: () => Promise<void>): Promise<void> {
  return em.fork().transactional(async (locked) => {
    await locked.execute('select pg_advisory_xact_lock(?)', [lockNumber]);
    await work();
  });
}
