import { CompiledQuery, type QueryResult } from 'kysely';
import { boundValue } from '#infrastructure/database/binding-sqlite.ts';
import type { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import type { Commits, DirectStatements } from '#infrastructure/database/statements.ts';

/**
 * Runs statements on the driver without the ORM, for the few that every delivery needs: the entity manager and query
 * builder cost several times as much as SQLite itself. They share the connection with the ORM's statements.
 */
export function sqliteStatements(driver: SqliteDriver): DirectStatements {
  return { ...commitsOn(driver, false), early: commitsOn(driver, true), onDisk: () => driver.onDisk() };
}

function commitsOn(driver: SqliteDriver, isEarly: boolean): Commits {
  return {
    execute: async (sql, values = [], method = 'all') =>
      answerOf(await driver.execute(sql, values.map(bound), isEarly), method),
    transactional: async (work) => {
      const lane = await driver.acquireConnection();
      await driver.beginTransaction(lane, {});
      try {
        const value = await work({
          execute: async (sql, values = [], method = 'all') =>
            answerOf(await lane.executeQuery(CompiledQuery.raw(sql, values.map(bound))), method),
        });
        await driver.commitTransaction(lane, isEarly);
        return value;
      } catch (error) {
        await driver.rollbackTransaction(lane);
        throw error;
      }
    },
  };
}

/** Passes values that cannot be bound on to the driver, which reports them. */
function bound(value: unknown): unknown {
  const known = boundValue(value);
  return known === undefined ? value : known;
}

function answerOf({ rows, numAffectedRows }: QueryResult<unknown>, method: 'all' | 'run'): unknown {
  return method === 'all' ? rows : { affectedRows: Number(numAffectedRows ?? 0) };
}
