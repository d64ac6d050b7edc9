import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { openReadOnly } from '#infrastructure/database/open-read-only.ts';
import { type FreshDatabase, freshDatabase } from '#test/support/persistence/fresh-database.ts';
import { startPostgres, type TestPostgres } from '#test/support/persistence/postgres.ts';

let folder: string;
let postgres: TestPostgres;
let inPostgres: FreshDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-read-'));
  const started = await startPostgres();
  if (typeof started === 'string') throw new Error(started);
  postgres = started;
  inPostgres = await freshDatabase(postgres.url);
});
afterAll(async () => {
  await inPostgres.drop();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

describe.each([
  ['SQLite', () => `sqlite:${join(folder, 'odd #name?.sqlite')}`],
  ['PostgreSQL', () => inPostgres.url],
])('a database opened for reading only: %s', (_, urlOf) => {
  it('reads what the server wrote, while the server has it open and after', async () => {
    const server = await openDatabase({ url: urlOf(), entities, migrations });
    for (const isOpen of [true, false]) {
      const reader = await openReadOnly(urlOf());
      const rows = await reader?.all('select name from migrations order by id');
      expect(rows).toEqual(migrations.map(({ name }) => expect.objectContaining({ name })));
      await reader?.close();
      if (isOpen) await server.close();
    }
  });

  it('refuses to write', async () => {
    const reader = await openReadOnly(urlOf());
    await expect(reader?.all("insert into leases values ('x', 'y', 1, 1)")).rejects.toThrow(/read-?only/i);
    await reader?.close();
  });
});

describe('a SQLite file', () => {
  it('is not created by opening it read-only', async () => {
    expect(await openReadOnly(`sqlite:${join(folder, 'none.sqlite')}`)).toBeNull();
    expect(await readdir(folder)).not.toContain('none.sqlite');
  });

  it('gets no log file when it is only read', async () => {
    const reader = await openReadOnly(`sqlite:${join(folder, 'odd #name?.sqlite')}`);
    await reader?.all('select 1');
    await reader?.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('odd'))).toEqual(['odd #name?.sqlite']);
  });
});
