import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { openBeside } from '#test/support/persistence/sqlite-pool.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
let program: string;
beforeAll(async () => {
  folder = await temporaryDataDir();
  program = await testedProgram('bootstrap/stdio.ts');
});
afterAll(() => folder.remove());

const transport = (env: Readonly<Record<string, string>>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { ...programEnvironment(), DATA_DIR: folder.dataDir, ...env },
    stderr: 'pipe',
  });

/** Runs `npm run user`, as another process does. */
const user = async (...args: readonly string[]) => {
  const env = { ...programEnvironment(), DATA_DIR: folder.dataDir };
  const child = spawn(process.execPath, [await testedProgram('bootstrap/cli/user.ts'), ...args], { env });
  const [code] = await once(child, 'close');
  return { code };
};

const connected = async (env: Readonly<Record<string, string>>): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport(env));
  return client;
};

describe('the server on standard input and output', () => {
  it('lets the SDK client work in the vault as the user of the environment, and read notes as resources (RUN-007)', async () => {
    const client = await connected({ PORTOLAN_EMAIL: 'admin@localhost' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['vault_note_write', 'vault_note_read']));
    const content = '# Hello\n';
    await client.callTool({ name: 'vault_note_write', arguments: { path: 'Deals/A b.md', content } });
    expect(await readFile(join(folder.dataDir, 'vault', 'Deals', 'A b.md'), 'utf8')).toBe(content);
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['portolan://connections', 'vault://Deals/A%20b.md']));
    const read = await client.readResource({ uri: 'vault://Deals/A%20b.md' });
    expect(read.contents).toEqual([{ uri: 'vault://Deals/A%20b.md', mimeType: 'text/markdown', text: content }]);
    const ref = { type: 'ref/resource', uri: 'vault://{+path}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'path', value: 'Deals/a' } });
    expect(completion.values).toEqual(['Deals/A b.md']);
    await client.close();
  });

  it('notifies the client of a note that it watches, and of its tools when another process changes what the user may do', async () => {
    let fetched: (names: readonly string[]) => void = () => {};
    const refetched = new Promise<readonly string[]>((resolve) => {
      fetched = resolve;
    });
    const onChanged = (_: unknown, tools: readonly { name: string }[] | null) =>
      fetched((tools ?? []).map(({ name }) => name));
    const client = new Client({ name: 'test', version: '1' }, { listChanged: { tools: { debounceMs: 0, onChanged } } });
    await client.connect(transport({ PORTOLAN_EMAIL: 'admin@localhost' }));
    const changed = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await client.subscribeResource({ uri: 'vault://watched.md' });
    // The search waits until the folder has been read: from there on it is watched.
    await client.callTool({ name: 'vault_search', arguments: { query: 'x' } });
    await writeFile(join(folder.dataDir, 'vault', 'watched.md'), 'by hand');
    expect(await changed).toBe('vault://watched.md');
    expect((await user('revoke', 'admin@localhost', 'vault')).code).toBe(0);
    expect(await refetched).toEqual([]);
    await client.close();
    expect((await user('permit', 'admin@localhost', 'vault')).code).toBe(0);
  });

  it('leaves the vault connection of a running server unchanged', async () => {
    const server = await startServer({ DATA_DIR: folder.dataDir });
    const client = await connected({ PORTOLAN_EMAIL: 'admin@localhost' });
    await client.listTools();
    await client.close();
    const secret = (await readFile(join(folder.dataDir, 'secret_key_base'), 'utf8')).trim();
    const sessions = new JweSessionTokens([deriveKey(secret, 'session')]);
    const authorization = `Bearer ${await sessions.seal({ userId: 1, issuedAt: Date.now() })}`;
    const read = await fetch(`${server.baseUrl}/api/vault/vault/Deals/A%20b.md`, { headers: { authorization } });
    expect([read.status, await read.json()]).toEqual([200, { data: '# Hello\n', revision: expect.any(String) }]);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('does no more than the token in the environment, or its file, was granted (RUN-009, CONF-018)', async () => {
    const secret = (await readFile(join(folder.dataDir, 'secret_key_base'), 'utf8')).trim();
    const sessions = new JweSessionTokens([deriveKey(secret, 'session')]);
    const token = await sessions.seal({ userId: 1, issuedAt: Date.now(), scope: 'vault:read' });
    const file = join(folder.dataDir, 'token');
    await writeFile(file, `${token}\n`);
    const client = await connected({ PORTOLAN_TOKEN_FILE: file });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect([names.includes('vault_note_read'), names.includes('vault_note_write')]).toEqual([true, false]);
    const write = { name: 'vault_note_write', arguments: { path: 'No.md', content: 'x' } };
    expect(await client.callTool(write)).toMatchObject({ isError: true, structuredContent: { reason: 'forbidden' } });
    await client.close();
  });

  it('acts as an app of the user of PORTOLAN_EMAIL, whose calls are recorded (RUN-033, SESS-020)', async () => {
    const client = await connected({ PORTOLAN_EMAIL: 'admin@localhost' });
    await client.callTool({ name: 'vault_note_write', arguments: { path: 'Recorded.md', content: 'x' } });
    await client.close();
    const url = `sqlite:${join(folder.dataDir, 'portolan.sqlite')}`;
    const database = await openBeside(url);
    const rows = await database.em
      .fork()
      .execute("select app, record_id from activity where record_id = 'Recorded.md'");
    await database.close();
    expect(rows).toEqual([{ app: 'portolan stdio', record_id: 'Recorded.md' }]);
  });

  it.each([
    [{}, 'Set PORTOLAN_TOKEN or PORTOLAN_EMAIL'],
    [{ PORTOLAN_EMAIL: 'nobody@localhost' }, 'there is no user nobody@localhost'],
    [{ PORTOLAN_TOKEN: 'forged' }, 'this token is invalid or expired'],
    [{ PORTOLAN_TOKEN_FILE: '/nowhere' }, 'PORTOLAN_TOKEN_FILE names /nowhere, which cannot be read (ENOENT)'],
  ])('serves nobody for %j, and reports why on standard error', async (env, said) => {
    const line = transport(env);
    let text = '';
    line.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await expect(new Client({ name: 'test', version: '1' }).connect(line)).rejects.toThrow();
    expect(text).toContain(said);
  });
});
