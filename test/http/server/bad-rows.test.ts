import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type RunningPortolan, startPortolan } from '#bootstrap/portolan.ts';
import { keepingLogger, type LogLine } from '#test/support/authorization/auth-app.ts';
import { plantBadRows, plantBadRowsInPostgres } from '#test/support/persistence/bad-rows.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres } from '#test/support/persistence/test-database.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import {
  metricsToken,
  serverFolder,
  serverSettings,
  signIn,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';

type Stored = Readonly<{ settings: Readonly<Record<string, string>>; close(): Promise<void> }>;
type Planted = Readonly<Record<string, number>>;

/** Where a server keeps its rows, and how to plant those that do not fit. */
const databases: Readonly<Record<string, (folder: string) => Promise<Stored & { plant(): Promise<Planted> }>>> = {
  SQLite: async (folder) => ({
    settings: {},
    plant: async () => plantBadRows(join(folder, 'portolan.sqlite')),
    close: async () => undefined,
  }),
  PostgreSQL: async () => {
    const postgres = await startPostgres();
    if (typeof postgres === 'string') throw new Error(postgres);
    const { database, url, close } = await openTestPostgres(postgres.url);
    return {
      settings: { DATABASE_URL: url },
      plant: () => plantBadRowsInPostgres(database),
      close: async () => {
        await close();
        await postgres.stop();
      },
    };
  },
};

describe.each(Object.keys(databases))('with an invalid row in each table of %s', (kind) => {
  let stored: Awaited<ReturnType<NonNullable<(typeof databases)[string]>>>;
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let server: RunningPortolan;
  let cookie: string;
  let planted: Planted;
  let more: Readonly<Record<string, string>>;
  const lines: LogLine[] = [];
  const secret = 's'.repeat(64);

  beforeAll(async () => {
    folder = await serverFolder();
    const opened = await databases[kind]?.(folder.path);
    if (opened === undefined) throw new Error(kind);
    stored = opened;
    more = { OAUTH_CLIENTS: 'database', SECRET_KEY_BASE: secret, ...stored.settings };
    await (await startServer(folder.path, more)).stop();
    planted = await stored.plant();
    const settings = readSettings(serverSettings(folder.path, more));
    server = await startPortolan({ settings, logger: keepingLogger(lines), version: '0.0.0' });
    cookie = await signIn(server.baseUrl);
  });
  afterAll(async () => {
    await server.stop();
    await stored.close();
    await folder.remove();
  });

  async function got(path: string): Promise<Readonly<{ status: number; text: string }>> {
    const accept = path.startsWith('/api') ? 'application/json' : 'text/html';
    const authorization = path === '/metrics' ? { authorization: `Bearer ${metricsToken}` } : {};
    const answer = await fetch(server.baseUrl + path, { headers: { cookie, accept, ...authorization } });
    return { status: answer.status, text: await answer.text() };
  }

  it('a row was planted in each of them', () => {
    expect(Object.keys(planted).length).toBeGreaterThan(20);
    expect(Object.entries(planted).filter(([, count]) => count === 0)).toEqual([]);
  });

  it.each([
    ['/users', 'users'],
    ['/deliveries', 'webhook_inbox', 'webhook_stale'],
    ['/deliveries?state=done', 'webhook_inbox'],
    ['/reactions', 'reaction_calls', 'reaction_approvals', 'reaction_runs'],
    ['/activity', 'activity'],
    ['/apps', 'app_grants'],
    ['/page', 'outbound_tokens'],
  ])('%s is shown, and reports the rows that are left out (EDGE-018)', async (path, ...tables) => {
    const { status, text } = await got(path);
    expect(status).toBe(200);
    expect(text).toMatch(/stored rows? (is|are) unreadable and left out/i);
    for (const table of tables) expect(text.includes(`${table} `) || text.includes('more.')).toBe(true);
  });

  it.each(['/api/users', '/api/activity', '/api/apps', '/api/connections'])(
    '%s lists the others, and names the ones that are left out (EDGE-018)',
    async (path) => {
      const { status, text } = await got(path);
      expect(status).toBe(200);
      const { data, unreadable } = JSON.parse(text);
      expect(Array.isArray(data)).toBe(true);
      expect(unreadable[0]).toEqual({
        table: expect.any(String),
        key: expect.any(String),
        problem: expect.any(String),
      });
    },
  );

  it.each([
    '/',
    '/floki/index',
    '/account',
    '/setup',
    '/tools/vault',
    '/activity.csv',
    '/metrics',
    '/readyz',
    '/api/switches',
  ])('%s still works (EDGE-018)', async (path) => {
    expect((await got(path)).status).toBe(200);
  });

  it('no page of one row fails (EDGE-018)', async () => {
    for (const path of ['/deliveries/1', '/deliveries/1010', '/reactions/one?path=bad', '/setup/tracker']) {
      expect((await got(path)).status).toBeLessThan(500);
    }
  });

  it('the jobs still run (EDGE-018)', async () => {
    // Each of them has run since the start, but for the schedules, which wait for the notes.
    await delay(2_000);
    const failed = lines.filter(({ message }) => /could not|failed/i.test(message));
    expect(failed).toEqual([]);
  });

  it('/metrics counts them by table (EDGE-018)', async () => {
    const { text } = await got('/metrics');
    for (const table of ['users', 'webhook_inbox', 'outbound_tokens']) {
      expect(text).toMatch(new RegExp(`^portolan_unreadable_rows\\{table="${table}"\\} [1-9]`, 'm'));
    }
  });

  it('each is logged once (EDGE-018)', async () => {
    const reported = lines.filter(({ message }) => message === 'A stored row cannot be read and is skipped');
    expect(reported.length).toBeGreaterThan(20);
    const rows = reported.map(({ fields }) => JSON.stringify([fields['table'], fields['key']]));
    expect(new Set(rows).size).toBe(rows.length);
  });

  it.each([
    ['user', 'list'],
    ['webhooks', 'list'],
    ['reactions', 'list'],
    ['doctor'],
    ['backup', 'backup', 'saved.zip'],
  ])('npm run %s still works (EDGE-018)', async (name, ...args) => {
    const script = await testedProgram(`bootstrap/cli/${name}.ts`);
    const settings = serverSettings(folder.path, more);
    const env = { ...programEnvironment(), ...settings, PORT: new URL(server.baseUrl).port };
    const child = spawn(process.execPath, [script, ...args], {
      env,
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complained] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
    expect(`${said}${complained}`).not.toMatch(/ZodError|SyntaxError|TypeError|\n {4}at /);
    if (name !== 'doctor') expect(child.exitCode, complained).toBe(0);
    if (args[0] === 'list') expect(complained).toMatch(/^Skipped, unreadable: \w+ /m);
  });
});
