import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { issuePayload, sign } from '#test/support/webhooks/webhook-tracker.ts';

const webhookSecret = 'a signing secret of the tracker';
const password = 'the password of the first user';
let root: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'portolan-backup-'));
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await rm(root, { recursive: true });
});

const dataDir = () => join(root, 'data');
const settings = () => ({
  DATA_DIR: dataDir(),
  TRACKER_WEBHOOK_SECRET: webhookSecret,
  ADMIN_PASSWORD: password,
  SIGNING_URL: 'http://127.0.0.1:9',
});

type Ran = Readonly<{ code: number; said: string }>;

async function run(
  command: 'backup' | 'restore',
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const script = await testedProgram('bootstrap/cli/backup.ts');
  return new Promise<Ran>((done) => {
    const env = { ...programEnvironment(), ...settings(), ...more };
    execFile(process.execPath, [script, command, ...args], { cwd: root, env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` });
    });
  });
}

async function bearer(): Promise<Readonly<{ authorization: string }>> {
  const secret = (await readFile(join(dataDir(), 'secret_key_base'), 'utf8')).trim();
  const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  return { authorization: `Bearer ${token}` };
}

async function connections(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/api/connections`, { headers });
  expect(answer.status).toBe(200);
  const { data } = z.object({ data: z.array(z.object({ service: z.string() }).loose()) }).parse(await answer.json());
  // The team's vault is offered since the server's start.
  return data.filter(({ service }) => service !== 'vault');
}

async function issueNote(): Promise<string> {
  for (;;) {
    const names = await readdir(join(dataDir(), 'vault', 'Issues')).catch(() => []);
    const [name] = names.filter((one) => one.startsWith('ENG-'));
    const text = name === undefined ? '' : await readFile(join(dataDir(), 'vault', 'Issues', name), 'utf8');
    if (text.includes('^evt-')) return text;
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function deliver(baseUrl: string): Promise<number> {
  const body = JSON.stringify(issuePayload(Date.now()));
  const headers = {
    'tracker-signature': sign(body, webhookSecret),
    'tracker-delivery': 'one',
    'tracker-event': 'Issue',
  };
  return (await fetch(`${baseUrl}/webhooks/tracker`, { method: 'POST', headers, body })).status;
}

describe('a server that loses everything and is restored from its backup', () => {
  it('has its users, connections, deliveries, notes and tokens, and repeats no delivery (BACKUP-001, BACKUP-002)', async () => {
    const file = join(root, 'all.zip');
    server = await startServer(settings());
    const headers = await bearer();
    const saved = await fetch(`${server.baseUrl}/save`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ service: 'signing', auth_method: 'api_key', access_token: 'a-key' }),
    });
    expect(saved.status).toBe(200);
    expect(await deliver(server.baseUrl)).toBe(200);
    const note = await issueNote();
    const before = await connections(server.baseUrl, headers);

    const backup = await run('backup', [file]);
    expect(backup).toEqual({ code: 0, said: expect.stringContaining('and the key.') });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await server.end('SIGKILL');
    await rm(dataDir(), { recursive: true });
    expect(await run('restore', [file])).toEqual({ code: 0, said: expect.stringContaining('can be started') });
    expect((await stat(join(dataDir(), 'secret_key_base'))).mode & 0o777).toBe(0o600);
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);

    server = await startServer(settings());
    expect(await connections(server.baseUrl, headers)).toEqual(before);
    expect(await issueNote()).toBe(note);
    // The same delivery again is known, and changes nothing.
    expect(await deliver(server.baseUrl)).toBe(200);
    expect(await issueNote()).toBe(note);
    await server.end('SIGTERM');
  });

  it('replaces neither a file nor a folder that is not empty (BACKUP-005)', async () => {
    const file = join(root, 'there.zip');
    await writeFile(file, 'something else');
    expect(await run('backup', [file])).toEqual({ code: 1, said: `${file} exists. Name a file that does not.\n` });
    expect(await readFile(file, 'utf8')).toBe('something else');
    const restored = await run('restore', [join(root, 'all.zip')]);
    expect(restored).toEqual({ code: 1, said: expect.stringMatching(/^DATA_DIR: .* is not empty\./) });
  });

  it('leaves the key out of the backup on request, and takes it from the settings (BACKUP-007)', async () => {
    const file = join(root, 'keyless.zip');
    const key = (await readFile(join(dataDir(), 'secret_key_base'), 'utf8')).trim();
    const made = await run('backup', [file, '--without-key']);
    expect(made.said).toContain('Not in the backup: the key (SECRET_KEY_BASE)');
    expect((await readFile(file)).includes(key)).toBe(false);
    const target = { DATA_DIR: join(root, 'other') };
    const none = await run('restore', [file], target);
    expect(none).toEqual({ code: 1, said: expect.stringContaining('SECRET_KEY_BASE: the backup contains no key.') });
    const wrong = await run('restore', [file], {
      ...target,
      SECRET_KEY_BASE: 'another key, as long as a key must be, at least',
    });
    expect(wrong).toEqual({ code: 1, said: expect.stringContaining('is not the key of this backup') });
    expect(await run('restore', [file], { ...target, SECRET_KEY_BASE: key })).toMatchObject({ code: 0 });
  });

  it('shows the usage of the commands, and reports that there is nothing to back up (CLI-005)', async () => {
    expect(await run('backup', [])).toMatchObject({
      code: 2,
      said: expect.stringContaining('missing required argument'),
    });
    await mkdir(join(root, 'unused'));
    const none = await run('backup', [join(root, 'none.zip')], { DATA_DIR: join(root, 'unused') });
    expect(none).toEqual({ code: 1, said: expect.stringMatching(/^There is nothing to back up/) });
    expect(await readdir(join(root, 'unused'))).toEqual([]);
  });
});
