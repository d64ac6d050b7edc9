import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteFile } from '#infrastructure/database/sqlite-file.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const count = 20_060;
let server: WholeServer;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-searched-'));
  await writeEmptySqlite(join(folder, 'portolan.sqlite'));
  const file = openSqliteFile(join(folder, 'portolan.sqlite'));
  file.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into webhook_inbox (service, delivery_id, order_key, event, state, received_at, available_at, attempts, outcome, is_faulty)
    select 'tracker', 'id-' || i, 'order', 'issue.update', case when i % 500 = 3 then 'dead' else 'done' end,
      1767225600000 + i * 60000, 0, 1, case when i < 60 then 'wrote Old ' || i || '.md' else 'wrote New.md' end, 0 from n`);
  file.close();
  server = await startWholeServer({ TRACKER_WEBHOOK_SECRET: 'secret' }, folder);
});
afterAll(() => server[Symbol.asyncDispose]());

const rowsOf = (page: string): readonly string[] =>
  [...page.matchAll(/name="seq" value="(\d+)"/g)].map(([, seq = '']) => seq);
const linkOf = (page: string, text: string): string | null =>
  new RegExp(`<a class="button quiet" href="([^"]+)">${text}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;

it('searches the latest deliveries, says how far back, and goes on from there (PAGE-037)', async () => {
  const browser = await server.signedIn();
  const pageAt = async (path: string) => (await browser.get(path)).text();
  const first = await pageAt('/deliveries?q=old+7.MD');
  expect(rowsOf(first)).toEqual([]);
  expect(first).toContain('No delivery matches so far.');
  expect(first).toMatch(/Searched back to <time datetime="2026-01-01T01:01/);
  const further = linkOf(first, 'Search further back');
  expect(further).toBe('/deliveries?q=old+7.MD&before=61');
  const second = await pageAt(further ?? '');
  expect(rowsOf(second)).toEqual(['7']);
  expect(second).not.toContain('Searched back to');
  expect(linkOf(second, 'Search further back')).toBeNull();
});

it('looks at those that match the other filters only, so that few are searched at once (PAGE-037)', async () => {
  const browser = await server.signedIn();
  const page = await (await browser.get('/deliveries?q=old&state=dead')).text();
  expect(rowsOf(page)).toEqual(['3']);
  expect(page).not.toContain('Searched back to');
});

it('finds a delivery by its whole id at once, and pages through many matches (PAGE-037)', async () => {
  const browser = await server.signedIn();
  const byId = await (await browser.get('/deliveries?q=id-5')).text();
  expect(rowsOf(byId)).toHaveLength(51);
  expect(rowsOf(byId).slice(0, 2)).toEqual(['5', '5999']);
  const exact = await (await browser.get('/deliveries?q=id-59&service=tracker&state=done')).text();
  expect(rowsOf(exact)[0]).toBe('59');
  const old = await (await browser.get('/deliveries?q=id-7&to=2025-12-31')).text();
  expect(rowsOf(old)).toEqual([]);
  const many = await (await browser.get('/deliveries?q=new.md')).text();
  expect(rowsOf(many)[0]).toBe(String(count));
  const next = await (await browser.get(linkOf(many, 'Search further back') ?? '')).text();
  expect(rowsOf(next)[0]).toBe(String(count - 50));
});

it('the list without a text is as it was', async () => {
  const browser = await server.signedIn();
  const page = await (await browser.get('/deliveries')).text();
  expect(page).not.toContain('Searched back to');
  expect(linkOf(page, 'Older deliveries')).toBe(`/deliveries?before=${count - 49}`);
});
