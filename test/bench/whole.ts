import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import type { Target } from '#test/bench/bench.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

/** How many notes `Deals/0.md`, `Deals/1.md` … there are to be changed. */
export const patchedNotes = 64;

/** A whole server, the file of the note `Deals/Acme.md` of its vault, its folder, and its first user's password. */
export type Whole = Target & Readonly<{ note: string; dataDir: string; password: string }>;

/** The whole server as `npm start` runs it, with its own vault and notes in it, and its first user's bearer token. */
export async function startWhole(settings: Readonly<Record<string, string>> = {}): Promise<Whole> {
  const { dataDir, remove } = await temporaryDataDir();
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...settings });
  const secret = (await readFile(join(dataDir, 'secret_key_base'), 'utf8')).trim();
  const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  const headers = { authorization: `Bearer ${token}` };
  const folder = join(dataDir, 'vault', 'Deals');
  await mkdir(folder, { recursive: true });
  const note = join(folder, 'Acme.md');
  await writeFile(note, '# Acme\n\nA note of two lines.\n');
  for (let n = 0; n < patchedNotes; n += 1) {
    await writeFile(join(folder, `${n}.md`), `---\nvalue: 1\nstage: open\n---\n# ${n}\n\nA note of two lines.\n`);
  }
  const close = async () => {
    await server.end('SIGTERM');
    await remove();
  };
  return { url: server.baseUrl, headers, pid: server.pid, close, note, dataDir, password: server.password };
}

/** Connects a notes app at an address in place of the server's own vault. */
export function connectVault(whole: Whole, address: string): Promise<void> {
  return connect(whole, {
    service: 'vault',
    auth_method: 'api_key',
    access_token: 'a-key',
    extra: { base_url: address },
  });
}

/** Connects the tracker by a key. */
export function connectTracker(whole: Whole, key: string): Promise<void> {
  return connect(whole, { service: 'tracker', auth_method: 'personal_token', access_token: key });
}

async function connect({ url, headers }: Whole, connection: object): Promise<void> {
  const saved = await fetch(`${url}/save`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(connection),
  });
  if (!saved.ok) throw new Error(`The provider is not connected: ${saved.status} ${await saved.text()}`);
}
