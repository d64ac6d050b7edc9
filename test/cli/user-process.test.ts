import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

type Ended = Readonly<{ code: number | null; out: string; err: string }>;

let program: string;
beforeAll(async () => {
  program = await testedProgram('bootstrap/cli/user.ts');
});

/** Runs what `npm run user -- …` runs. */
function user(dataDir: string, args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...programEnvironment(), DATA_DIR: dataDir, ...env },
    });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      texts.out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      texts.err += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
    child.stdin.end(input);
  });
}

async function logIn(server: WholeServer, email: string, password: string): Promise<PlainBrowser> {
  const browser = new PlainBrowser(server);
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, email, password });
  return browser;
}

describe('npm run user, while the server runs', () => {
  let server: WholeServer;

  beforeAll(async () => {
    server = await openWholeServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const page = async (browser: PlainBrowser) => (await browser.get('/floki/index')).text();

  it('adds a user who can sign in at once', async () => {
    const added = await user(server.dataDir, ['add', 'eve@example.com', 'vault'], 'eves own password\n');
    expect(added).toEqual({ code: 0, out: 'Added eve@example.com as user 2: vault\n', err: '' });
    const browser = await logIn(server, 'eve@example.com', 'eves own password');
    expect(await page(browser)).toContain('eve@example.com');
  });

  it('knows the MCP servers that administrators added, before a restart too (REMOTE-060, REMOTE-063)', async () => {
    const browser = await logIn(server, ada.email, ada.password);
    const added = { key: 'wiki', title: 'Wiki', url: 'http://localhost:9/mcp', connection: 'none' };
    expect((await sendJson({ origin: server.baseUrl }, browser, ['POST', '/api/servers', added])).status).toBe(201);
    const permitted = await user(server.dataDir, ['permit', 'eve@example.com', 'wiki']);
    expect(permitted).toEqual({ code: 0, out: 'eve@example.com: vault, wiki\n', err: '' });
    const { out } = await user(server.dataDir, ['list']);
    expect(out.split('\n').filter((line) => line.includes('wiki'))).toHaveLength(2);
    const wrong = await user(server.dataDir, ['permit', 'eve@example.com', 'wikis']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean wiki?')]);
  });

  it('reaches the server within its cache of a second: permissions, password, sessions (USER-004)', async () => {
    const browser = await logIn(server, ada.email, ada.password);
    expect(await page(browser)).toContain('Tracker');
    expect((await user(server.dataDir, ['revoke', ada.email, 'tracker'])).code).toBe(0);
    await expect.poll(() => page(browser), { timeout: 60_000 }).not.toContain('Tracker');
    const set = await user(server.dataDir, ['password', ada.email], 'another good password');
    expect(set).toMatchObject({ code: 0, err: '' });
    await expect.poll(async () => (await browser.get('/page')).status, { timeout: 60_000 }).toBe(401);
    expect((await (await logIn(server, ada.email, ada.password)).get('/page')).status).toBe(401);
    expect((await (await logIn(server, ada.email, 'another good password')).get('/page')).status).toBe(200);
  });

  it('prints a link that signs a user in once (CLI-008)', async () => {
    const { code, out } = await user(server.dataDir, ['link', 'eve@example.com'], '', { BASE_URL: server.baseUrl });
    expect(code).toBe(0);
    const link = new URL(out.trim());
    expect(link.origin).toBe(server.baseUrl);
    const browser = new PlainBrowser(server);
    const fields = hiddenFields(await (await browser.get(`${link.pathname}${link.search}`)).text());
    const set = await browser.post('/welcome', { ...fields, password: 'eves next password' });
    expect(set.headers.get('location')).toBe('/floki/index');
    expect((await browser.get(`${link.pathname}${link.search}`)).status).toBe(404);
  });

  it('exits with 1 when it refuses, and with 2 when it does not understand (CLI-005)', async () => {
    expect(await user(server.dataDir, ['sign-out', 'eva@example.com'])).toEqual({
      code: 1,
      out: '',
      err: 'There is no user with the e-mail eva@example.com. Did you mean eve@example.com?\n',
    });
    expect((await user(server.dataDir, ['permit', ada.email, 'everything'])).code).toBe(2);
    expect((await user(server.dataDir, ['add', 'no@example.com'], '')).err).toContain('at least 8 characters');
  });
});

describe('npm run user, without a server', () => {
  it('makes the first user an administrator, in a folder that did not exist', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portolan-cli-'));
    const dataDir = join(folder, 'new');
    const added = await user(dataDir, ['add', 'first@example.com'], 'a good password');
    expect(added.out).toBe('Added first@example.com as user 1: administrator; no permissions\n');
    await rm(folder, { recursive: true, force: true });
  });

  it('reports all errors of the settings, as the server does', async () => {
    const failed = await user('/nowhere', ['list'], '', { PORT: 'x', OAUTH_STRICT: 'maybe' });
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('PORT must be a whole number');
    expect(failed.err).toContain('OAUTH_STRICT must be on or off');
  });
});
