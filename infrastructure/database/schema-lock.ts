import type { SqlEntityManager } from '@mikro-orm/sqlite';

/** The key of the advisory lock; used for nothing else in our databases. */
const lockNumber = 7_239_041;

/**
 * Runs the work under an advisory lock of the PostgreSQL database, so that servers starting together migrate the schema
 * one after the other. The lock is released with the transaction, even if the process is killed.
 */
export function underSchemaLock(em: SqlEntityManager, work: () => Promise<void>): Promise<void> {
  return em.fork().transactional(async (locked) => {
    await locked.execute('select pg_advisory_xact_lock(?)', [lockNumber]);
    await work();
  });
}
