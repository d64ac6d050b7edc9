import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import type { Target } from '#test/bench/bench.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

/** The whole server as `npm start` runs it, with its own vault and a note in it, and its first user's bearer token. */
export async function startWhole(): Promise<Target> {
  const { dataDir, remove } = await temporaryDataDir();
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' });
  const secret = (await readFile(join(dataDir, 'secret_key_base'), 'utf8')).trim();
  const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  const headers = { authorization: `Bearer ${token}` };
  const note = { path: 'Deals/Acme.md', content: '# Acme\n\nA note of two lines.\n' };
  const params = { name: 'vault_note_write', arguments: note };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const type = { 'content-type': 'application/json' };
  await fetch(`${server.baseUrl}/message`, { method: 'POST', headers: { ...headers, ...type }, body });
  const close = async () => {
    await server.end('SIGTERM');
    await remove();
  };
  return { url: server.baseUrl, headers, close };
}
