import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

/** A user who may use the vault and is no administrator. */
const eve = { email: 'eve@example.com', password: 'eves own password' };

let folder: string;
let inside: LoopbackServer;
let seen: string[];
/** The one server of these tests, and what it runs with: most of them ask the same. */
let server: WholeServer;
let runsWith: string | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-addresses-'));
  inside = await serveOnLoopback((request, response) => {
    // The automation user's vault is looked at for reactions.
    if (request.url !== '/vault/Reactions/') seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"commands":[],"secret":"inside"}');
  });
  await (await startWholeServer({}, folder)).stop();
  const args = [await testedProgram('bootstrap/cli/user.ts'), 'add', eve.email, 'vault'];
  const child = spawn(process.execPath, args, { env: { ...programEnvironment(), DATA_DIR: folder } });
  child.stdin.end(`${eve.password}\n`);
  expect(await once(child, 'exit')).toEqual([0, null]);
});
afterAll(async () => {
  if (runsWith !== null) await server.stop();
  await inside.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  seen = [];
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  await run({ RATE_LIMITS: 'off', ...env }, folder);
}

/** Starts it again when it is to run with other settings. */
async function run(env: Readonly<Record<string, string>>, dataFolder: string): Promise<void> {
  const wanted = JSON.stringify([env, dataFolder]);
  if (wanted === runsWith) return;
  if (runsWith !== null) await server.stop();
  runsWith = null;
  server = await startWholeServer(env, dataFolder);
  runsWith = wanted;
}

async function asEve(): Promise<PlainBrowser> {
  const browser = new PlainBrowser(server);
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, ...eve });
  return browser;
}

const save = (browser: PlainBrowser, base_url: string, more: object = {}) =>
  sendJson(server, browser, [
    'POST',
    '/save',
    { service: 'vault', auth_method: 'api_key', access_token: 'key', extra: { base_url, ...more } },
  ]);
const read = (browser: PlainBrowser) => sendJson(server, browser, ['GET', '/api/vault/commands/']);

describe('the address of a vault that a user gives', () => {
  it.each([
    ['{inside}?x=', 'query'],
    ['{inside}#', 'fragment'],
    ['{inside}/a?b#c', 'query'],
    ['http://user@127.0.0.1:1', 'user info'],
    ['http://user:secret@127.0.0.1:1', 'user info'],
    ['http://@127.0.0.1:1', 'user info'],
    ['http://127.0.0.1\\@evil.example', 'user info'],
    ['gopher://127.0.0.1', 'http'],
    ['file:///etc/passwd', 'http'],
    ['nothing', 'address'],
  ])('consists of a host, a port and a path only, also from an administrator: %s (CONN-011)', async (address, says) => {
    await start();
    const answer = await save(await server.signedIn(), address.replace('{inside}', inside.url));
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(says) } });
    expect(seen).toEqual([]);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]:27123',
    'http://[::ffff:169.254.169.254]',
    'http://[fd00:ec2::254]',
    'http://2852039166',
    'http://0xa9.0xfe.0xa9.0xfe',
    'http://0.0.0.0:1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'https://169.254.169.254',
  ])('never leads to a cloud metadata service, not even for an administrator: %s (CONN-016)', async (address) => {
    await start({ PRIVATE_ADDRESSES: 'on' });
    const answer = await save(await server.signedIn(), address);
    expect(answer).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
  });

  it.each([
    '{inside}',
    'http://localhost:{port}',
    'http://127.1:{port}',
    'http://[::ffff:127.0.0.1]:{port}',
    'https://127.0.0.1:{port}',
    'http://10.0.0.1',
    'https://192.168.1.1:27124',
  ])('leads to internal addresses for administrators only: %s (CONN-017)', async (template) => {
    await start();
    const address = template.replace('{inside}', inside.url).replace('{port}', new URL(inside.url).port);
    const answer = await save(await asEve(), address);
    expect(answer).toMatchObject({
      status: 403,
      body: { reason: 'forbidden', detail: expect.stringContaining('PRIVATE_ADDRESSES=on') },
    });
    expect(seen).toEqual([]);
  });

  it('is refused on the page, too, with a remedy', async () => {
    await start();
    const browser = await asEve();
    const html = await (await browser.get('/page')).text();
    const form = html.slice(html.indexOf('action="/save"'));
    const fields = { ...hiddenFields(form), service: 'vault', auth_method: 'api_key', access_token: 'key' };
    const answer = await browser.post('/save', { ...fields, base_url: inside.url });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('PRIVATE_ADDRESSES=on')]);
    expect(seen).toEqual([]);
  });

  it('may be internal for an administrator, and for everybody once that is configured (CONN-017)', async () => {
    await start();
    expect(await save(await server.signedIn(), inside.url)).toMatchObject({ status: 200, body: { checked: true } });
    await start({ PRIVATE_ADDRESSES: 'on' });
    const browser = await asEve();
    expect(await save(browser, inside.url)).toMatchObject({ status: 200, body: { checked: true } });
    expect(await read(browser)).toMatchObject({ status: 200 });
  });

  it('is checked at every call, so that an older connection is refused once it is no longer allowed (CONN-017)', async () => {
    await start({ PRIVATE_ADDRESSES: 'on' });
    expect(await save(await asEve(), inside.url)).toMatchObject({ status: 200 });
    await start();
    seen = [];
    const browser = await asEve();
    const answer = await read(browser);
    expect(answer).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
    expect(JSON.stringify(answer)).toContain('PRIVATE_ADDRESSES=on');
    expect(seen).toEqual([]);
    expect((await sendJson(server, browser, ['POST', '/connections/vault/test', {}])).status).toBe(200);
    expect(seen).toEqual([]);
  });

  it('is unrestricted in settings: the embedded vault and VAULT_URL may be internal', async () => {
    const vault = await mkdtemp(join(tmpdir(), 'portolan-set-'));
    await run({ VAULT_URL: inside.url, VAULT_API_KEY: 'key' }, vault);
    expect(await read(await server.signedIn())).toMatchObject({ status: 200 });
    await rm(vault, { recursive: true, force: true });
  });
});
