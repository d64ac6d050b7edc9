import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import type * as SqliteFiles from '#infrastructure/database/sqlite-file.ts';
import { asked } from '#test/bench/growth/asked.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';
import { plantInSqlite } from '#test/support/persistence/grown-statistics.ts';
import { sqliteScans, unlisted } from '#test/support/persistence/statement-plans.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const recorded = vi.hoisted(() => ({ statements: new Set<string>() }));

// The file as it is, but that the statements that are prepared are noted.
vi.mock('#infrastructure/database/sqlite-file.ts', async (original) => {
  const real = await original<typeof SqliteFiles>();
  const openSqliteFile: typeof real.openSqliteFile = (path) => {
    const file = real.openSqliteFile(path);
    const prepare = file.prepare.bind(file);
    Object.defineProperty(file, 'prepare', {
      value: (sql: string) => {
        recorded.statements.add(sql);
        return prepare(sql);
      },
    });
    return file;
  };
  return { ...real, openSqliteFile };
});

describe('the statements of a server on SQLite', () => {
  let server: WholeServer;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portolan-plans-'));
    // Schema changes run once, and do read tables whole.
    await writeEmptySqlite(join(folder, 'empty.sqlite'));
    await rm(folder, { recursive: true });
    recorded.statements.clear();
    server = await startWholeServer({ TRACKER_WEBHOOK_SECRET: 'secret', ACTIVITY_DAYS: '1' });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('read no table whole, but for those of the list (EDGE-020)', async () => {
    const browser = await server.signedIn();
    for (const { path } of asked) await (await browser.get(path)).text();
    const statements = [...recorded.statements];
    expect(statements.length).toBeGreaterThan(80);
    const database = await openDatabase({
      url: `sqlite:${join(server.dataDir, 'explained.sqlite')}`,
      entities,
      migrations,
    });
    expect(unlisted(await sqliteScans(database, statements))).toEqual([]);
    await plantInSqlite(database);
    expect(unlisted(await sqliteScans(database, statements))).toEqual([]);
    await database.close();
  });
});
