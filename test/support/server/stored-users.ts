import { join } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';

/** Changes the database of a running server, as another process would; the server sees the change a moment later. */
export async function withStored<Value>(
  dataDir: string,
  work: (stored: Readonly<{ users: MikroOrmUsers; database: Database }>) => Promise<Value>,
): Promise<Value> {
  const database = await openDatabase({ url: `sqlite:${join(dataDir, 'portolan.sqlite')}`, entities, migrations });
  try {
    return await work({ users: new MikroOrmUsers(database), database });
  } finally {
    await database.close();
  }
}
