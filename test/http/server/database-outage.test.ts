import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { type CuttableProxy, cuttableProxy } from '#test/support/network/cuttable-proxy.ts';
import { startPostgres, type TestPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase } from '#test/support/persistence/test-database.ts';
import { post, serverFolder, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

let count = 0;

/** A delivery that was never sent before. */
const fresh = () => {
  count += 1;
  return trackerDelivery(issuePayload(Date.now()), { 'tracker-delivery': `outage-${count}` });
};

const statusOf = async (server: RunningPortolan, path: string) => (await fetch(`${server.baseUrl}${path}`)).status;

/** Asks until the answer is the one that is waited for; the test's own timeout is the bound. */
async function untilStatus(server: RunningPortolan, path: string, status: number): Promise<void> {
  while ((await statusOf(server, path)) !== status) await pause(50);
}

async function expectRefusedForNow(server: RunningPortolan): Promise<void> {
  const refused = await post(server.baseUrl, fresh());
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: 'unavailable' });
}

describe('a server whose PostgreSQL is unavailable', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;
  let proxy: CuttableProxy;
  let server: RunningPortolan;
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let cookie: string;

  beforeAll(async () => {
    const started = await startPostgres();
    if (typeof started === 'string') throw new Error(started);
    postgres = started;
    database = await openTestPostgres(postgres.url);
    const url = new URL(database.url);
    proxy = await cuttableProxy(Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    folder = await serverFolder();
    server = await startServer(folder.path, { DATABASE_URL: url.href });
    cookie = await signIn(server.baseUrl);
  });
  afterAll(async () => {
    await proxy.mend();
    await server.stop();
    await proxy.close();
    await database.close();
    await postgres.stop();
    await folder.remove();
  });

  const get = (path: string, accept: string) => fetch(`${server.baseUrl}${path}`, { headers: { cookie, accept } });

  /** A call of a tool by the bearer of a session, as an assistant makes it. */
  const callTool = () =>
    fetch(`${server.baseUrl}/message`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${/user=([^;]*)/.exec(cookie)?.[1]}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'vault_search', arguments: { query: 'x' } },
      }),
    });

  it.each([['stopped'], ['hanging']])(
    'answers while it is %s, and recovers automatically (PUB-005, ERR-006, ERR-007, ERR-008)',
    async (how) => {
      if (how === 'stopped') await proxy.cut();
      else proxy.hang();
      await untilStatus(server, '/readyz', 503);
      expect(await statusOf(server, '/healthz')).toBe(200);
      // More than the pool has connections: none of them is kept by its failure.
      await Promise.all(Array.from({ length: 12 }, () => expectRefusedForNow(server)));
      // Who calls is known from memory: for half a minute, while the other servers are heard.
      await expect
        .poll(async () => (await get('/page', 'text/html')).status, { timeout: 60_000, interval: 250 })
        .toBe(503);
      const page = await (await get('/page', 'text/html')).text();
      expect(page).toContain('cannot use its database');
      expect(page).not.toMatch(/ECONN|terminated|timeout|postgres/i);
      const problem = await get('/api/connections', 'application/json');
      expect(problem.status).toBe(503);
      expect(await problem.json()).toMatchObject({ status: 503, reason: 'unavailable' });
      // A call of the team's vault needs no database while it is known from memory who calls.
      await expect.poll(async () => (await callTool()).status, { timeout: 60_000, interval: 250 }).toBe(503);
      const message = await callTool();
      expect([message.status, Number(message.headers.get('retry-after')) > 0]).toEqual([503, true]);
      const text = await message.text();
      expect(text).toContain('cannot use its database');
      expect(text).not.toMatch(/ECONN|terminated|timeout|postgres/i);
      await proxy.mend();
      await untilStatus(server, '/readyz', 200);
      expect((await post(server.baseUrl, fresh())).status).toBe(200);
      expect((await callTool()).status).toBe(200);
      expect((await get('/page', 'text/html')).status).toBe(200);
    },
    120_000,
  );
});

describe('a server whose SQLite file another process has locked', () => {
  it('answers 503 to deliveries and probes, is responsive meanwhile, and recovers automatically (PUB-005, ERR-006, ERR-008)', async () => {
    const folder = await serverFolder();
    const server = await startServer(folder.path);
    const other = new Sqlite(join(folder.path, 'portolan.sqlite'), { timeout: 5_000 });
    try {
      other.exec('begin immediate');
      const waiting = expectRefusedForNow(server);
      let answers = 0;
      let next: Promise<number | null> = statusOf(server, '/healthz');
      while ((await Promise.race([next, waiting.then(() => null)])) !== null) {
        expect(await next).toBe(200);
        answers += 1;
        next = pause(20).then(() => statusOf(server, '/healthz'));
      }
      // A process that was held by the wait would have answered once, before it.
      expect(answers).toBeGreaterThan(2);
      expect(await statusOf(server, '/readyz')).toBe(503);
      other.exec('commit');
      await untilStatus(server, '/readyz', 200);
      expect((await post(server.baseUrl, fresh())).status).toBe(200);
    } finally {
      other.close();
      await server.stop();
      await folder.remove();
    }
  });
});
