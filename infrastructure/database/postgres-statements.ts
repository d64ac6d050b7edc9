import { CompiledQuery, type QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PostgresDriver, PostgresLane } from '#infrastructure/database/postgres-driver.ts';
import { isOfPrepared, PreparedNames } from '#infrastructure/database/prepared-names.ts';
import { withoutNul } from '#infrastructure/database/sql-text.ts';
import type { Commits, DirectStatements } from '#infrastructure/database/statements.ts';

/**
 * Runs statements on the driver without the ORM, for the few that every delivery needs, and with bound values: the ORM
 * writes them into the text. They share the pool with the ORM's statements. `driver` is called for each.
 */
export function postgresStatements(driver: () => PostgresDriver): DirectStatements {
  const prepared = new PreparedNames();
  const commits: Commits = {
    execute: (sql, values, method) =>
      withLane(driver(), async (lane) => answerOf(await executeOn(lane, compiled(sql, values), prepared), method)),
    transactional: (work) =>
      withLane(driver(), async (lane) => {
        await driver().beginTransaction(lane, {});
        try {
          const value = await work({
            execute: async (sql, values, method) => answerOf(await lane.executeQuery(compiled(sql, values)), method),
          });
          await driver().commitTransaction(lane);
          return value;
        } catch (error) {
          await driver().rollbackTransaction(lane);
          throw error;
        }
      }),
  };
  return { ...commits, early: commits, onDisk: async () => {} };
}

/**
 * Executes a statement that is a transaction of its own, as a prepared one when it has a name. Where prepared statements
 * fail, as behind a pooler that knows none, it has had no effect, and is executed without.
 */
async function executeOn(lane: PostgresLane, query: CompiledQuery, prepared: PreparedNames) {
  const name = prepared.nameOf(query.sql);
  if (name === null) return lane.executeQuery(query);
  try {
    return await lane.executePrepared(query, name);
  } catch (error) {
    if (!isOfPrepared(error)) throw error;
    prepared.disable();
    return lane.executeQuery(query);
  }
}

async function withLane<Value>(driver: PostgresDriver, work: (lane: PostgresLane) => Promise<Value>): Promise<Value> {
  const lane = await driver.acquireConnection();
  try {
    return await work(lane);
  } finally {
    await driver.releaseConnection(lane);
  }
}

/** The texts with the placeholders of PostgreSQL: those of batches differ by the number of their items. */
const numbered = new LRUCache<string, string>({ max: 500 });

function compiled(sql: string, values: readonly unknown[] = []): CompiledQuery {
  let text = numbered.get(sql);
  if (text === undefined) {
    let place = 0;
    text = sql.replaceAll('?', () => {
      place += 1;
      return `$${place}`;
    });
    numbered.set(sql, text);
  }
  return CompiledQuery.raw(text, values.map(storable));
}

/** The value, in arrays too, without what PostgreSQL does not store. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' ? withoutNul(value) : value;
}

function answerOf({ rows, numAffectedRows }: QueryResult<unknown>, method: 'all' | 'run' = 'all'): unknown {
  return method === 'all' ? rows : { affectedRows: Number(numAffectedRows ?? 0) };
}
