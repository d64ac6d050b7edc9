import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { rounds } from '#test/support/form.ts';
import { onServer } from '#test/support/persistence/fresh-database.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';
import { failedStart } from '#test/support/server/server-process.ts';

const appends = rounds(25, 100);
let cluster: Cluster;
let token: string;

beforeAll(async () => {
  cluster = await openCluster({ as: 'processes' });
  token = await accessToken({ origin: cluster.servers[0]?.origin ?? '' });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** A request to one server; it is sent again when the answer asks for that. */
async function ask(origin: string, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

describe('three processes over one folder of notes', () => {
  it(`keep all ${appends} appends of each to one note at the same time (EMB-016)`, async () => {
    const lines = cluster.servers.flatMap(({ origin }, server) =>
      Array.from({ length: appends }, (_, index) => ({ origin, line: `s${server}-${index}` })),
    );
    const statuses = await Promise.all(
      lines.map(async ({ origin, line }) => {
        return (await ask(origin, 'POST', '/api/vault/vault/Log.md', { content: `${line}\n` })).status;
      }),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const text = await readFile(join(cluster.vaultDir, 'Log.md'), 'utf8');
    const written = text.split('\n').filter((line) => line !== '');
    expect(written.toSorted()).toEqual(lines.map(({ line }) => line).toSorted());
  });

  it('find within a second what another has written (EMB-018)', async () => {
    const [first, ...others] = cluster.servers;
    for (const round of [1, 2, 3]) {
      const word = `quartz${round}`;
      const content = { content: `# ${word}\n` };
      expect((await ask(first?.origin ?? '', 'PUT', '/api/vault/vault/Stone.md', content)).status).toBe(200);
      for (const { origin } of others) {
        await expect
          .poll(async () => (await ask(origin, 'POST', '/api/vault/search/simple/', { query: word })).text())
          .toContain('Stone.md');
      }
    }
  });

  it('store no address of it in the database', async () => {
    const tables = await onServer(
      cluster.databaseUrl,
      "select table_name from information_schema.tables where table_schema = 'public'",
    );
    for (const { table_name: table } of tables) {
      const rows = await onServer(cluster.databaseUrl, `select * from "${String(table)}"`);
      expect(JSON.stringify(rows)).not.toMatch(/team-vault|127\.0\.0\.1:\d+\/?vault/);
      if (table === 'connections') expect(rows.filter((row) => row['service'] === 'vault')).toEqual([]);
    }
  });

  it('refuse a server that has another folder (EMB-014)', async () => {
    const env = { ...cluster.settings, PORT: '0', DATA_DIR: join(cluster.vaultDir, '..', 'other') };
    const { code, said } = await failedStart({ ...env, VAULT_DIR: join(env.DATA_DIR, 'vault') });
    expect(code).toBe(1);
    expect(said).toContain('is not the notes folder of this database');
  });
});
