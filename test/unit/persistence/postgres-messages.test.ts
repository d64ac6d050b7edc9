import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PostgresMessages } from '#adapters/persistence/postgres-messages.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { type CuttableProxy, cuttableProxy } from '#test/support/network/cuttable-proxy.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openBeside } from '#test/support/persistence/sqlite-pool.ts';
import { openTestPostgres, type TestDatabase } from '#test/support/persistence/test-database.ts';

const server = await startPostgres();
const patience = { timeout: 60_000, interval: 20 };

describe.skipIf(typeof server === 'string')('messages over PostgreSQL', { timeout: 120_000 }, () => {
  let opened: TestDatabase;
  let proxy: CuttableProxy;
  let heard: string[];
  let missed: number;
  let log: string[];
  let closers: (() => Promise<unknown>)[];

  beforeAll(async () => {
    opened = await openTestPostgres(typeof server === 'string' ? '' : server.url);
    proxy = await cuttableProxy(Number(new URL(opened.url).port));
    return async () => {
      await proxy.close();
    };
  });
  afterAll(async () => {
    await opened.close();
    if (typeof server !== 'string') await server.stop();
  });
  beforeEach(() => {
    heard = [];
    missed = 0;
    log = [];
    closers = [];
    return async () => {
      for (const close of closers.toReversed()) await close();
    };
  });

  async function open(serverId: string, url = opened.url, maxDelayMs = 500): Promise<PostgresMessages> {
    const database = await openBeside(opened.url);
    closers.push(() => database.close());
    const logger = openLogger('debug', { write: (line: string) => void log.push(line) });
    const timing = { pingMs: 100, maxDelayMs, maxConnectMs: 60_000, aliveMs: 1_000 };
    const messages = new PostgresMessages({ database, url, serverId, logger, timing });
    closers.push(() => messages.close());
    await messages.open();
    return messages;
  }

  /** A server that hears by way of the proxy. */
  async function far(): Promise<PostgresMessages> {
    const messages = await open('far', Object.assign(new URL(opened.url), { port: String(proxy.port) }).href);
    messages.listen({
      heard: (text) => void heard.push(text),
      missed: () => {
        missed += 1;
      },
    });
    await vi.waitFor(() => expect(messages.isHearing()).toBe(true), patience);
    return messages;
  }

  const notify = (payload: string) =>
    opened.database.em.fork().execute('select pg_notify(?, ?)', ['portolan_messages', payload]);

  it('a connection that is cut is opened again, and all subscribers read everything (PEER-002)', async () => {
    const [near, other] = [await open('near'), await far()];
    await proxy.cut();
    await vi.waitFor(() => expect([other.isHearing(), missed]).toEqual([false, 1]), patience);
    near.publish('in vain');
    await proxy.mend();
    await vi.waitFor(() => expect([other.isHearing(), missed]).toEqual([true, 2]), patience);
    near.publish('again');
    await vi.waitFor(() => expect(heard.at(-1)).toBe('again'), patience);
  });

  it('a server that has closed is gone; one whose connection is cut is not, and does not consider others gone (MCP-027)', async () => {
    const [near, other, third] = [await open('near'), await far(), await open('third')];
    await vi.waitFor(async () => expect(await near.isGone('nobody')).toBe(true), patience);
    await proxy.cut();
    await third.close();
    await vi.waitFor(async () => expect(await near.isGone('third')).toBe(true), patience);
    expect([await near.isGone('far'), await other.isGone('third'), other.isHearing()]).toEqual([false, false, false]);
    await proxy.mend();
    await vi.waitFor(async () => expect(await other.isGone('third')).toBe(true), patience);
    expect(await near.isGone('far')).toBe(false);
    await other.close();
    await vi.waitFor(async () => expect(await near.isGone('far')).toBe(true), patience);
  });

  it('a silently dead connection is noticed (PEER-003)', async () => {
    const [near, other] = [await open('near'), await far()];
    proxy.hang();
    await vi.waitFor(() => expect([other.isHearing(), missed > 0]).toEqual([false, true]), patience);
    await proxy.mend();
    await vi.waitFor(() => expect(other.isHearing()).toBe(true), patience);
    near.publish('again');
    await vi.waitFor(() => expect(heard).toEqual(['again']), patience);
    expect(log.join('')).toContain('DATABASE_DIRECT_URL');
  });

  it('notifications from another program, or altered ones, are ignored (PEER-004)', async () => {
    const [near, other] = [await open('near'), await far()];
    for (const payload of ['', 'no JSON', '{"v":2}', 'null', '{"v":1,"from":"x","n":1,"texts":[{}]}', '[1]']) {
      await notify(payload);
    }
    near.publish('still there');
    await vi.waitFor(() => expect(heard).toEqual(['still there']), patience);
    expect(other.isHearing()).toBe(true);
  });

  it('a repeated frame is received once, and a missing one is reported (PEER-002)', async () => {
    await far();
    const frame = (n: number) => notify(JSON.stringify({ v: 1, from: 'third', n, texts: [`text ${n}`] }));
    for (const n of [4, 5, 5]) await frame(n);
    await vi.waitFor(() => expect(heard).toEqual(['text 4', 'text 5']), patience);
    expect(missed).toBe(0);
    await frame(7);
    await vi.waitFor(() => expect([heard.at(-1), missed]).toEqual(['text 7', 1]), patience);
  });

  it.each([
    ['far ahead', 1_000_000_000],
    ['next', 5],
    ['last', 4],
    ['first', 1],
  ])(
    'a frame from another program in a server’s name, as its frame %s, does not silence the server (PEER-006)',
    async (_, n) => {
      await far();
      const send = (number: number, ...texts: readonly string[]) =>
        notify(JSON.stringify({ v: 1, from: 'third', n: number, texts }));
      await send(4, 'one');
      await send(n);
      await send(5, 'two');
      await send(6, 'three');
      await vi.waitFor(() => expect(heard).toEqual(['one', 'two', 'three']), patience);
      expect(missed).toBeGreaterThan(0);
    },
  );

  it('an earlier frame from another program in a server’s name does not make it give up a connection (PEER-006)', async () => {
    const near = await open('near', opened.url, 1_500);
    await vi.waitFor(() => expect(near.isHearing()).toBe(true), patience);
    for (let count = 0; count < 600; count += 1) {
      await notify(JSON.stringify({ v: 1, from: 'near', n: 1, texts: [] }));
      await delay(5);
    }
    expect(log.join('')).not.toContain('do not arrive');
  });

  it('frames from another program in a server’s name do not hide that its connection is dead (PEER-006)', async () => {
    const other = await far();
    // Notifications arrive in order.
    await notify(JSON.stringify({ v: 1, from: 'far', n: 1_000_000_000, texts: [] }));
    await notify(JSON.stringify({ v: 1, from: 'near', n: 1, texts: ['after it'] }));
    await vi.waitFor(() => expect(heard).toEqual(['after it']), patience);
    proxy.hang();
    await vi.waitFor(() => expect(other.isHearing()).toBe(false), { ...patience, timeout: 20_000 });
    await proxy.mend();
    await vi.waitFor(() => expect(other.isHearing()).toBe(true), patience);
  });

  it('a missing row is reported as missed, and what comes after it is received (PEER-002)', async () => {
    await far();
    await notify(JSON.stringify({ v: 1, from: 'third', n: 1, texts: [2_000_000_000, 'after it'] }));
    await vi.waitFor(() => expect([heard, missed]).toEqual([['after it'], 1]), patience);
  });

  it('waiting messages are sent before the connection closes, and rows are removed later (PEER-001)', async () => {
    const near = await open('near');
    await far();
    near.publish('short');
    near.publish('long'.repeat(10_000));
    await near.close();
    await vi.waitFor(() => expect(heard.map(({ length }) => length)).toEqual([5, 40_000]), patience);
    const rows = () => opened.database.em.fork().execute('select id from server_messages');
    expect(await rows()).toHaveLength(1);
    await opened.database.em.fork().execute('update server_messages set created_at = created_at - 61000');
    await open('another');
    expect(await rows()).toHaveLength(0);
  });

  it('an address where nothing answers ends the start', async () => {
    const nowhere = Object.assign(new URL(opened.url), { port: '1' }).href;
    await expect(open('far', nowhere)).rejects.toThrow(/ECONNREFUSED/);
  });
});
