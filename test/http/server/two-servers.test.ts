import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPortolan, type Portolan, type PortolanConfig } from '#bootstrap/package/index.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

const admin = { email: 'ada@example.com', password: 'a password of ours' };

/** A server with stores in memory, and its administrator's browser. */
type Opened = Readonly<{ portolan: Portolan; origin: string; browser: PlainBrowser; dataDir: string }>;

async function open(services: PortolanConfig['services']): Promise<Opened> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-two-'));
  const portolan = await createPortolan({
    stores: () => memoryStores(),
    ...(services === undefined ? {} : { services }),
    settings: { PORT: '0', DATA_DIR: dataDir, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    logger: openLogger('silent'),
  });
  const { port } = await portolan.listen();
  const origin = `http://127.0.0.1:${port}`;
  return { portolan, origin, dataDir, browser: await signedInAt(origin, admin) };
}

describe('two servers in one process, with different services', () => {
  let five: Opened;
  let two: Opened;
  beforeAll(async () => {
    five = await open(undefined);
    two = await open((builtIn) => [helpdesk, ...builtIn.filter(({ key }) => key === 'vault')]);
  });
  afterAll(async () => {
    for (const { portolan, dataDir } of [five, two]) {
      await portolan.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  const json = ({ origin, browser }: Opened, method: string, path: string, body?: unknown) =>
    sendJson({ origin }, browser, [method, path, body]);

  it('have pages, tools and routes of their own services only (CONF-006)', async () => {
    const pages = await Promise.all([five, two].map(async ({ browser }) => (await browser.get('/page')).text()));
    expect(pages.map((page) => [page.includes('Help desk'), page.includes('Tracker')])).toEqual([
      [false, true],
      [true, false],
    ]);
    const paths = await Promise.all([five, two].map((server) => json(server, 'GET', '/openapi.json')));
    const has = (text: string) => paths.map(({ body }) => JSON.stringify(body).includes(text));
    expect([has('/api/help_desk/tickets'), has('/api/tracker/issues')]).toEqual([
      [false, true],
      [true, false],
    ]);
    const search = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const listed = await Promise.all(
      [five, two].map((server) => json(server, 'POST', '/message?mode=catalogue', search)),
    );
    const named = listed.map(({ body }) => JSON.stringify(body));
    expect(named.map((text) => text.includes('"enum":["help_desk","vault"]'))).toEqual([false, true]);
  });

  it('give their first users the permissions for these, and validate choices by them (CONF-006)', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await json(five, 'POST', '/message?services=help_desk', list)).body).toMatchObject({
      error: {
        message:
          'Unknown choice of tools. There is no service "help_desk". There are "sales_crm", "signing", "suite_crm", "tracker" and "vault".',
      },
    });
    expect((await json(two, 'POST', '/message?services=tracker', list)).body).toMatchObject({
      error: {
        message: 'Unknown choice of tools. There is no service "tracker". There are "help_desk" and "vault".',
      },
    });
    expect(await json(two, 'POST', '/save', { service: 'tracker' })).toMatchObject({ status: 400 });
    const receivers = await Promise.all(
      [five, two].map(({ origin }) => fetch(`${origin}/webhooks/help_desk`, { method: 'POST', body: '{}' })),
    );
    expect(receivers.map(({ headers }) => headers.get('content-type')?.includes('json'))).toEqual([true, true]);
  });

  it('need no database when every store is given (CONF-002)', () => {
    for (const { dataDir } of [five, two]) expect(existsSync(join(dataDir, 'portolan.sqlite'))).toBe(false);
  });
});
