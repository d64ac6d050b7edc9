import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBaseUrl } from '#bootstrap/checks/address.ts';
import { findingLine } from '#bootstrap/checks/finding.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { type ServerProcess, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { apiKey, openTestVault } from '#test/support/vault/embedded-vault-server.ts';

let script: string;
let root: string;
let running: Readonly<{ server: ServerProcess; dataDir: string; port: string }>;

beforeAll(async () => {
  script = await testedProgram('bootstrap/cli/doctor.ts');
  root = await mkdtemp(join(tmpdir(), 'portolan-doctor-'));
  const { dataDir } = await temporaryDataDir();
  const server = await startServer({ DATA_DIR: dataDir, SIGNING_URL: 'http://127.0.0.1:9' });
  await connectSigning(server.baseUrl, dataDir);
  running = { server, dataDir, port: new URL(server.baseUrl).port };
});
afterAll(async () => {
  await running.server.end('SIGTERM');
  await rm(running.dataDir, { recursive: true });
  await rm(root, { recursive: true });
});

/** Keeps a key of the first user's for a service that does not answer: a sealed value. */
async function connectSigning(baseUrl: string, dataDir: string): Promise<void> {
  const secret = (await readFile(join(dataDir, 'secret_key_base'), 'utf8')).trim();
  const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  const saved = await fetch(`${baseUrl}/save`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ service: 'signing', auth_method: 'api_key', access_token: 'a-key' }),
  });
  expect(saved.status).toBe(200);
}

type Said = Readonly<{ code: number; lines: readonly string[]; line(about: string): string }>;

/** What the doctor says with these settings and no others. */
function examined(settings: Readonly<Record<string, string>>): Promise<Said> {
  const env = { ...programEnvironment(), DATA_DIR: join(root, 'none'), PORT: '0', ...settings };
  return new Promise((done) => {
    execFile(process.execPath, [script], { cwd: root, env }, (error, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      const line = (about: string) => lines.find((each) => each.slice(2).startsWith(about)) ?? '';
      done({ code: error === null ? 0 : Number(error.code), lines, line });
    });
  });
}

describe('npm run doctor, before the first start', () => {
  it('lists what the first start creates and what is not set up, creates nothing, and ends with 0 (CLI-004)', async () => {
    const { code, line } = await examined({});
    expect(code).toBe(0);
    expect(line('Settings')).toBe('✓ Settings: they fit');
    expect(line('DATA_DIR')).toMatch(/^! .* does not exist yet → the first start creates it$/);
    expect(line('Secret')).toMatch(/^! Secret: none yet/);
    expect(line('Database')).toMatch(/^! .* does not exist yet/);
    expect(line('Tracker')).toMatch(/^! Tracker: not set up → set TRACKER_DIALECT=linear, or .*TRACKER_URL$/);
    expect(line('Vault')).toMatch(/^✓ Vault: the team’s, in .*vault from the next start$/);
    expect(await readdir(root)).toEqual([]);
  });

  it('reads secrets from their files, and names a file that it cannot read (CONF-014, CONF-017)', async () => {
    const file = join(root, 'key');
    await writeFile(file, `${'k'.repeat(48)}\n`);
    expect((await examined({ SECRET_KEY_BASE_FILE: file })).line('Secret')).toBe('✓ Secret: SECRET_KEY_BASE is set');
    await rm(file);
    const { code, lines } = await examined({ SECRET_KEY_BASE_FILE: file });
    expect([code, lines]).toEqual([
      1,
      [
        `✗ Settings: SECRET_KEY_BASE_FILE names ${file}, which cannot be read (ENOENT) → correct SECRET_KEY_BASE_FILE; then the rest is checked`,
      ],
    ]);
  });

  it('lists every error of the settings with its remedy, and ends with 1', async () => {
    const { code, lines } = await examined({ PORT: '99999', TRACKER_URI: 'http://x' });
    expect(code).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^✗ Settings: PORT must be a whole number from 0 to 65535, not "99999" → /);
    expect(lines[1]).toMatch(/^✗ Settings: TRACKER_URI is not a setting; did you mean TRACKER_URL\? → /);
  });
});

describe('npm run doctor, while the server runs', () => {
  it('finds everything in order, including the embedded vault, and changes nothing', async () => {
    const { server, dataDir, port } = running;
    const before = await stat(join(dataDir, 'portolan.sqlite'));
    const { code, line } = await examined({ DATA_DIR: dataDir, PORT: port });
    expect(line('Port')).toBe(`✓ Port: the server answers at 127.0.0.1:${port}`);
    expect(line('Database')).toMatch(/^✓ .* opens, with all \d+ schema changes$/);
    expect(line('Encrypted values')).toMatch(/^✓ Encrypted values: all [1-9]\d* can be decrypted$/);
    expect(line('Vault')).toMatch(/^✓ Vault: the team’s, in .*vault$/);
    expect(line('Automation user')).toMatch(/^✓ Automation user: \S+@\S+ \(AUTOMATION_USER_ID is 1\)$/);
    expect(code).toBe(0);
    expect((await stat(join(dataDir, 'portolan.sqlite'))).mtimeMs).toBe(before.mtimeMs);
    expect(server.log()).not.toContain('"level":"error"');
  });

  it('says where a server runs on this data, when these settings say another port (CLI-007)', async () => {
    const { line } = await examined({ DATA_DIR: running.dataDir, PORT: '1' });
    expect(line('Port')).toBe(
      `! Port: a server runs on this data, at 127.0.0.1:${running.port}; these settings say 127.0.0.1:1 → run this with the settings of that server, or stop it`,
    );
  });

  it('reports a missing automation user (USER-016)', async () => {
    const { code, line } = await examined({ DATA_DIR: running.dataDir, AUTOMATION_USER_ID: '77' });
    expect(code).toBe(1);
    expect(line('Automation user')).toMatch(
      /^✗ Automation user: AUTOMATION_USER_ID is 77, and there is no such user → /,
    );
  });

  it('reports values that the secret cannot decrypt, by the id of their key', async () => {
    const SECRET_KEY_BASE = 'another secret of more than 32 bytes';
    const { code, line } = await examined({ DATA_DIR: running.dataDir, SECRET_KEY_BASE });
    expect(code).toBe(1);
    expect(line('Encrypted values')).toMatch(
      /^✗ Encrypted values: [1-9]\d* cannot be decrypted \(key [0-9a-f]{8}\) → set SECRET_KEY_BASE_PREVIOUS to /,
    );
  });

  it('reports a secret that others can read, without showing it', async () => {
    const file = join(running.dataDir, 'secret_key_base');
    await chmod(file, 0o644);
    const { code, line } = await examined({ DATA_DIR: running.dataDir });
    await chmod(file, 0o600);
    expect(line('Secret')).toBe(`! Secret: ${file} can be read by other users of this machine → chmod 600 ${file}`);
    expect(code).toBe(0);
  });
});

describe('npm run doctor, on addresses', () => {
  it('reports a port that another program uses', async () => {
    const other = createServer((_, response) => void response.end('{"status":"fine"}'));
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { code, line } = await examined({ PORT: String(port) });
    other.close();
    expect(line('Port')).toBe(
      `✗ Port: another program listens on 127.0.0.1:${port} → stop it, or set PORT to a free port`,
    );
    expect(code).toBe(1);
  });

  it.each([
    ['it is not given though all addresses are listened on', { HOST: '0.0.0.0' }, /^✗ BASE_URL: not set/],
    ['it has a path', { BASE_URL: 'https://example.com/portolan' }, /^✗ .*has the path \/portolan/],
    ['it is this machine and webhooks are set', { SIGNING_WEBHOOK_KEY: 'k'.repeat(20) }, /^! .*only from this machine/],
    ['it is plain http for others', { BASE_URL: 'http://example.com' }, /^! .*not encrypted/],
    ['it is https without a trusted proxy', { BASE_URL: 'https://example.com' }, /^! .*TRUST_PROXY=on/],
    ['all is well', { BASE_URL: 'https://example.com', TRUST_PROXY: 'on' }, /^✓ BASE_URL: https:\/\/example\.com$/],
  ])('checks BASE_URL when %s', (_, given, expected) => {
    const settings = readSettings({ DATA_DIR: join(root, 'none'), ...given });
    const hasWebhooks = 'SIGNING_WEBHOOK_KEY' in given;
    expect(findingLine(checkBaseUrl(settings, hasWebhooks))).toMatch(expected);
  });

  it('checks BASE_URL among all else, and whether webhooks can reach it', async () => {
    const { code, line } = await examined({ SIGNING_WEBHOOK_KEY: 'k'.repeat(20) });
    expect(line('BASE_URL')).toMatch(/^! .*only from this machine/);
    expect(code).toBe(0);
  });
});

describe('npm run doctor, on services', () => {
  it('lists what each service has, and what is missing (CLI-004)', async () => {
    const { line } = await examined({
      TRACKER_DIALECT: 'linear',
      TRACKER_CLIENT_ID: 'id',
      TRACKER_CLIENT_SECRET: 'the secret of the app',
      TRACKER_WEBHOOK_SECRET: 'one-secret-of-some-length,another-of-some-length',
      SALES_CRM_URL: 'https://crm.example.com',
      SALES_CRM_CLIENT_ID: 'id',
      SALES_CRM_CLIENT_SECRET: 'the secret of the app',
    });
    expect(line('Tracker')).toBe(
      '✓ Tracker (Linear): linear at the provider’s own address; OAuth app; 2 webhook secrets',
    );
    expect(line('Sales CRM')).toContain('1 webhook secret');
    expect(line('Sales CRM')).toContain('→ set SALES_CRM_AUTHORIZE_URL and SALES_CRM_TOKEN_URL to connect by OAuth');
  });

  it('asks the vault of the settings whether it accepts the key', async () => {
    const vault = await openTestVault();
    const right = await examined({ VAULT_URL: vault.url, VAULT_API_KEY: apiKey });
    const refused = await examined({ VAULT_URL: vault.url, VAULT_API_KEY: 'wrong' });
    await vault.close();
    // A port that is free again may be another test's at once: this one is nobody's.
    const gone = await examined({ VAULT_URL: 'http://127.0.0.1:1', VAULT_API_KEY: apiKey });
    expect(right.line('Vault')).toMatch(/^✓ Vault: .* answers and accepts the key/);
    expect([refused.code, refused.line('Vault')]).toEqual([
      1,
      expect.stringMatching(/^✗ Vault: .* refuses the key → /),
    ]);
    expect([gone.code, gone.line('Vault')]).toEqual([1, expect.stringMatching(/^✗ Vault: .* cannot be reached\. /)]);
  });
});
