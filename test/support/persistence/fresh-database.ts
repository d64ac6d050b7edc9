import { randomBytes } from 'node:crypto';

/** A database on a PostgreSQL server, and how to throw it away. */
export type FreshDatabase = Readonly<{ url: string; drop(): Promise<void> }>;

/** Makes it, under a name that no other has; as a copy of the database `template` when that is given. */
export async function freshDatabase(serverUrl: string, template?: string): Promise<FreshDatabase> {
  const name = `portolan_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    drop: async () => void (await onServer(serverUrl, `drop database ${name} with (force)`)),
  };
}

/** Runs one statement on a connection of its own; its rows. */
export async function onServer(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const { MikroORM } = await import('@mikro-orm/postgresql');
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  try {
    const rows: unknown = await orm.em.getConnection().execute(statement);
    return Array.isArray(rows) ? rows : [];
  } finally {
    await orm.close(true);
  }
}
