import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { failedStart, type ServerProcess, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

const callback = 'http://127.0.0.1:9/callback';
const clientSchema = z.object({ client_id: z.string() });

/** An MCP client's memory, and a person who signs in and allows when the client sends the browser away. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: 'A test', redirect_uris: [callback] };
  readonly #server: ServerProcess;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  code = '';

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const browser = new PlainBrowser({ origin: this.#server.baseUrl });
    const login = await browser.get(`${url.pathname}${url.search}`);
    const email = 'admin@localhost';
    const consent = await browser.post('/authorize', {
      ...hiddenFields(await login.text()),
      email,
      password: this.#server.password,
    });
    const back = await browser.post('/authorize', { ...hiddenFields(await consent.text()), decision: 'allow' });
    this.code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }
}

type Transport = StreamableHTTPClientTransport | SSEClientTransport;

const transports: readonly [string, (server: ServerProcess, person: Person) => Transport][] = [
  [
    '/message',
    (server, authProvider) => new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/message`), { authProvider }),
  ],
  ['/sse', (server, authProvider) => new SSEClientTransport(new URL(`${server.baseUrl}/sse`), { authProvider })],
];

async function connected(server: ServerProcess, open: (typeof transports)[number][1]): Promise<Client> {
  const person = new Person(server);
  const first = open(server, person);
  // 401 → register → authorize; the client then waits for the code.
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(person.code);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(open(server, person));
  return client;
}

describe.each(['off', 'on'])('from npm start to a first tool call, with OAUTH_METADATA=%s', (metadata) => {
  let server: ServerProcess;
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>;

  beforeAll(async () => {
    folder = await temporaryDataDir();
    server = await startServer({ DATA_DIR: folder.dataDir, OAUTH_METADATA: metadata });
  });
  afterAll(async () => {
    expect(await server.end('SIGTERM')).toBe(0);
    await folder.remove();
  });

  it.each(transports)('the SDK client signs in and works in the vault on %s (EMB-001, SET-020)', async (path, open) => {
    const client = await connected(server, open);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['vault_note_write', 'vault_note_read']));
    const note = { path: `From ${path.slice(1)} ä#%.md`, content: '# Hello\n\nWritten by a tool.\n' };
    const written = await client.callTool({ name: 'vault_note_write', arguments: note });
    expect(written).not.toHaveProperty('isError', true);
    const read = await client.callTool({ name: 'vault_note_read', arguments: { path: note.path } });
    const revision = { type: 'text', text: expect.stringMatching(/^Revision: [0-9a-f]{16}$/) };
    expect(read.content).toEqual([{ type: 'text', text: note.content }, revision]);
    expect(await readFile(join(folder.dataDir, 'vault', note.path), 'utf8')).toBe(note.content);
    const again = await client.callTool({ name: 'vault_note_write', arguments: note });
    expect(again).toMatchObject({ isError: true });
    await client.close();
  });

  it('the banner shows everything that a user needs', () => {
    for (const line of ['Sign in', '/login', '/message', '/sse', join(folder.dataDir, 'vault'), 'claude mcp add']) {
      expect(server.output).toContain(line);
    }
  });

  it('the server is reached as localhost on its port when no BASE_URL is set (SET-002)', async () => {
    expect(server.baseUrl).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
  });

  it('the log contains no secret (ERR-005)', async () => {
    const secret = await readFile(join(folder.dataDir, 'secret_key_base'), 'utf8');
    expect(server.log()).not.toContain(secret.trim());
    expect(server.log()).not.toContain(server.password);
  });

  it('the secret can be read by its owner only (SET-005)', async () => {
    expect((await stat(join(folder.dataDir, 'secret_key_base'))).mode & 0o777).toBe(0o600);
  });
});

describe('a second start', () => {
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
  let second: ServerProcess;
  let cookie: string;
  let authorize: string;

  beforeAll(async () => {
    folder = await temporaryDataDir();
    const first = await startServer({ DATA_DIR: folder.dataDir });
    const set = await fetch(`${first.baseUrl}/set`);
    cookie = set.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ redirect_uris: [callback] });
    const registered = await fetch(`${first.baseUrl}/register`, { method: 'POST', headers, body });
    const { client_id } = clientSchema.parse(await registered.json());
    authorize = `/authorize?${new URLSearchParams({ client_id, redirect_uri: callback }).toString()}`;
    expect((await fetch(first.baseUrl + authorize)).status).toBe(200);
    expect(await first.end('SIGINT')).toBe(0);
    second = await startServer({ DATA_DIR: folder.dataDir });
  });
  afterAll(async () => {
    expect(await second.end('SIGTERM')).toBe(0);
    await folder.remove();
  });

  it('keeps users, notes and sessions, and prints no password (SET-020, RUN-001)', async () => {
    expect(second.password).toBe('');
    const home = await fetch(`${second.baseUrl}/floki/index`, { headers: { cookie } });
    expect(home.status).toBe(200);
  });

  it('forgets the clients that registered (SET-015)', async () => {
    expect((await fetch(second.baseUrl + authorize)).status).toBe(400);
  });
});

describe('a failed start', () => {
  it('prints every error of the settings at once, and ends with 1 before it listens (SET-003)', async () => {
    const { code, said } = await failedStart({
      PORT: '99999',
      BASE_URL: 'ftp://x',
      OAUTH_METADATA: 'maybe',
      TRACKER_SECRET: 'x',
    });
    expect(code).toBe(1);
    expect(said).toContain('PORT must be a whole number from 0 to 65535, not "99999"');
    expect(said).toContain('BASE_URL must be an http or https address, not "ftp://x"');
    expect(said).toContain('OAUTH_METADATA must be on or off, not "maybe"');
    expect(said).toContain('TRACKER_SECRET is not a setting');
  });

  it('reports that the address is not an address of this machine, and what to do (SET-017)', async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const { code, said } = await failedStart({ DATA_DIR: dataDir, HOST: '203.0.113.9' });
    expect(code).toBe(1);
    expect(said).toContain('HOST: 203.0.113.9 is not this machine’s address. Set HOST to 127.0.0.1 or 0.0.0.0.');
    await remove();
  });

  it('reads a .env file in the working directory, over which the environment takes precedence (SET-004)', async () => {
    const { dataDir, remove } = await temporaryDataDir();
    await writeFile(join(dataDir, '.env'), 'BASE_URL=nothing\nLOG_LEVEL=loud\n');
    const { code, said } = await failedStart({ DATA_DIR: dataDir, LOG_LEVEL: 'info' }, dataDir);
    expect(code).toBe(1);
    expect(said).toContain('BASE_URL must be an http or https address, not "nothing"');
    expect(said).not.toContain('LOG_LEVEL');
    await remove();
  });

  it('reports that the port is in use, and what to do (SET-009)', async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const other = await serveOnLoopback((_, response) => response.end());
    const { code, said } = await failedStart({ DATA_DIR: dataDir, PORT: new URL(other.url).port });
    expect(code).toBe(1);
    expect(said).toMatch(/PORT: \d+ is in use on 127\.0\.0\.1\. Stop the other program, or set PORT to a free port\./);
    await other.close();
    await remove();
  });

  it('reports that the database cannot be opened', async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const { code, said } = await failedStart({ DATA_DIR: dataDir, DATABASE_URL: `sqlite:${dataDir}` });
    expect(code).toBe(1);
    expect(said).toContain('cannot be opened');
    await remove();
  });
});
