import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { freePort } from '#test/kit/free-port.ts';
import { type Ear, ears, plain } from '#test/support/mcp/mcp-ears.ts';
import { personCookie } from '#test/support/server/person-cookie.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
const ids = new Map<string, number>();
const cookies = new Map<string, string>();

/** Makes a user as the command line does, on the server's own data. */
const addUser = async (name: string, permissions: readonly ServiceKey[]): Promise<void> =>
  withStored(server.dataDir, async ({ users }) => {
    const added = await users.add({ email: `${name}@example.com`, passwordHash: 'none', permissions, isAdmin: false });
    if (added.ok) ids.set(name, added.value.id);
  });

const cookieOf = async (name: string): Promise<string> => {
  const cookie = cookies.get(name) ?? (await personCookie(server.dataDir, ids.get(name) ?? 1));
  cookies.set(name, cookie);
  return cookie;
};

const ask = async (name: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers: {
      cookie: await cookieOf(name),
      accept: path === '/page' ? 'text/html' : 'application/json',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};
const toolsOf = async (name: string): Promise<string> =>
  (await ask(name, 'POST', '/message', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).text;

beforeAll(async () => {
  server = await startWholeServer({});
  ids.set('admin', 1);
  await addUser('ann', ['vault']);
  await addUser('ben', ['vault']);
  await addUser('cleo', ['tracker']);
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the team’s vault', () => {
  it('has its periodic notes where the configuration in its folder has them, over REST and for tools (EMB-025, VAULT-022)', async () => {
    const folder = join(server.dataDir, 'vault');
    await mkdir(join(folder, '.obsidian'), { recursive: true });
    await writeFile(join(folder, '.obsidian/daily-notes.json'), '{"format":"YYYY-MM-DD","folder":""}');
    const added = await ask('ann', 'POST', '/api/vault/periodic/daily/', { content: 'by REST' });
    const { path } = z.object({ path: z.string().regex(/^\d{4}-\d\d-\d\d\.md$/) }).parse(JSON.parse(added.text));
    const call = { name: 'vault_periodic_write', arguments: { period: 'daily', content: 'by a tool' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    expect((await ask('ben', 'POST', '/message', message)).text).toContain(path);
    expect(await readFile(join(folder, path), 'utf8')).toBe('by REST\nby a tool');
    expect(await readdir(folder)).not.toContain('Daily');
  });

  it('moves a note, and renames a heading and a tag, with all that refers to them, over REST (VAULT-024, VAULT-025, VAULT-026)', async () => {
    const folder = join(server.dataDir, 'vault');
    await ask('ann', 'PUT', '/api/vault/vault/Moves/A.md', { content: '# A\n' });
    await ask('ann', 'PUT', '/api/vault/vault/Moves/B.md', { content: '[[A#A]] #moved' });
    const moved = await ask('ann', 'POST', '/api/vault/move/Moves/A.md', { to: 'Moves/C' });
    expect(JSON.parse(moved.text)).toMatchObject({ data: { path: 'Moves/C.md', count: 1, notes: ['Moves/B.md'] } });
    const renamed = { target: 'A', title: 'Z' };
    expect((await ask('ann', 'POST', '/api/vault/rename-heading/Moves/C.md', renamed)).status).toBe(200);
    expect((await ask('ann', 'POST', '/api/vault/tags/rename', { tag: 'moved', to: 'done' })).status).toBe(200);
    expect(await readFile(join(folder, 'Moves/B.md'), 'utf8')).toBe('[[C#Z]] #done');
    const section = await ask('ann', 'GET', '/api/vault/section/Moves/C.md?target=Z');
    expect(JSON.parse(section.text)).toMatchObject({ data: { part: 'Z', lines: '1-1', text: '# Z\n' } });
    expect((await ask('ann', 'POST', '/api/vault/move/Moves/C.md', { to: 'Moves/B.md' })).status).toBe(409);
    expect((await ask('cleo', 'POST', '/api/vault/move/Moves/C.md', { to: 'x.md' })).status).toBe(403);
  });

  it('is used by everybody with the permission (EMB-009)', async () => {
    expect((await ask('ann', 'PUT', '/api/vault/vault/Shared.md', { content: 'from Ann' })).status).toBe(200);
    expect(await readFile(join(server.dataDir, 'vault', 'Shared.md'), 'utf8')).toBe('from Ann');
    expect((await ask('ben', 'GET', '/api/vault/vault/Shared.md')).text).toContain('from Ann');
    expect((await ask('admin', 'GET', '/api/vault/vault/Shared.md')).text).toContain('from Ann');
    expect(await toolsOf('ann')).toContain('"vault_note_write"');
  });

  it('is listed as the team’s, connected, and cannot be disconnected', async () => {
    const { text } = await ask('ann', 'GET', '/api/connections');
    expect(JSON.parse(text)).toMatchObject({ data: [{ service: 'vault', state: 'connected', owner: 'team' }] });
    const page = await ask('ann', 'GET', '/page');
    expect(page.text).toContain('The team: everybody');
    expect(page.text).not.toContain('Disconnect');
    const refused = await ask('ann', 'POST', '/disconnect', { service: 'vault' });
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('team’s vault') });
    expect((await ask('ann', 'GET', '/api/vault/vault/Shared.md')).status).toBe(200);
  });

  it('is hidden from users without the permission (EMB-009)', async () => {
    expect(JSON.parse((await ask('cleo', 'GET', '/api/connections')).text)).toEqual({ data: [] });
    expect((await ask('cleo', 'GET', '/api/vault/vault/Shared.md')).status).toBe(403);
    expect((await ask('cleo', 'POST', '/connections/vault/test')).status).toBe(403);
    expect(await toolsOf('cleo')).not.toContain('"vault_note_read"');
    expect((await ask('cleo', 'GET', '/page')).text).not.toContain('The team: everybody');
  });

  it('can be tested', async () => {
    const { text } = await ask('ben', 'POST', '/connections/vault/test');
    expect(JSON.parse(text)).toMatchObject({ service: 'vault', state: 'connected', checked: true });
  });

  it("is replaced by a user's own vault, and comes back when that is disconnected (EMB-009)", async () => {
    const own = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"files":[],"commands":[]}');
    });
    await new Promise<void>((resolve) => {
      own.listen(0, '127.0.0.1', resolve);
    });
    const address = own.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const extra = { base_url: `http://127.0.0.1:${port}`, verify_ssl: false };
    const saved = { service: 'vault', auth_method: 'api_key', access_token: 'a-key-of-their-own', extra };
    // Addresses on this machine are an administrator's to give.
    expect((await ask('admin', 'POST', '/save', saved)).status).toBe(200);
    expect(JSON.parse((await ask('admin', 'GET', '/api/connections')).text)).toMatchObject({
      data: [expect.not.objectContaining({ owner: 'team' })],
    });
    expect((await ask('admin', 'GET', '/api/vault/vault/Shared.md')).text).not.toContain('from Ann');
    expect((await ask('ben', 'GET', '/api/vault/vault/Shared.md')).text).toContain('from Ann');
    expect((await ask('admin', 'POST', '/disconnect', { service: 'vault' })).status).toBe(200);
    expect(JSON.parse((await ask('admin', 'GET', '/api/connections')).text)).toMatchObject({
      data: [{ owner: 'team' }],
    });
    expect((await ask('admin', 'GET', '/api/vault/vault/Shared.md')).text).toContain('from Ann');
    own.close();
  });

  it('notifies all its users of a change by one of them, or by hand, and of no note that they may not see', async () => {
    const [open] = Object.values(ears);
    if (open === undefined) throw new Error('There are no ears.');
    const listen = async (name: string): Promise<Ear> =>
      open({ url: server.origin }, (await cookieOf(name)).slice('user='.length), {
        uris: ['vault://By%20Ann.md', 'vault://By%20hand.md'],
      });
    const ben = await listen('ben');
    const hears = async (uri: string): Promise<void> => {
      for (let heard = await ben.next(); ; heard = await ben.next()) {
        expect(heard).not.toBeNull();
        if (JSON.stringify(plain(heard)).includes(uri)) return;
      }
    };
    expect((await ask('ann', 'PUT', '/api/vault/vault/By%20Ann.md', { content: 'x' })).status).toBe(200);
    await hears('vault://By%20Ann.md');
    await writeFile(join(server.dataDir, 'vault', 'By hand.md'), 'x');
    await hears('vault://By%20hand.md');
    await ben.close();
  });

  it('has no address in the database', async () => {
    const kept = await withStored(server.dataDir, ({ database }) =>
      database.em.fork().execute("select 1 from outbound_tokens where service = 'vault'"),
    );
    expect(kept).toEqual([]);
  });
});

describe('the folder of the team’s vault', () => {
  it('is VAULT_DIR, and the server does not start with the folder of another database (EMB-014)', async () => {
    await using first = await startWholeServer({});
    const folder = join(first.dataDir, 'vault');
    await first.stop();
    await using second = await startWholeServer({});
    await second.stop();
    await expect(startWholeServer({ VAULT_DIR: folder }, second.dataDir)).rejects.toThrow(
      /VAULT_DIR: .*not the notes folder/,
    );
    await using again = await startWholeServer({ VAULT_DIR: folder }, first.dataDir);
    expect(again.origin).toMatch(/^http/);
  });

  it('is served to programs on VAULT_PORT with the key VAULT_API_KEY, and does not start without a key (EMB-015)', async () => {
    const port = await freePort();
    await expect(startWholeServer({ VAULT_PORT: String(port) })).rejects.toThrow(/VAULT_PORT: also set VAULT_API_KEY/);
    await using open = await startWholeServer({ VAULT_PORT: String(port), VAULT_API_KEY: 'a key for programs' });
    await writeFile(join(open.dataDir, 'vault', 'Note.md'), 'over the port');
    const at = `http://127.0.0.1:${port}/vault/Note.md`;
    expect((await fetch(at)).status).toBe(401);
    const answer = await fetch(at, { headers: { authorization: 'Bearer a key for programs' } });
    expect(await answer.text()).toBe('over the port');
    const marker = await fetch(`http://127.0.0.1:${port}/vault/.portolan/vault.json`, {
      headers: { authorization: 'Bearer a key for programs' },
    });
    expect(marker.ok).toBe(false);
  });
});
