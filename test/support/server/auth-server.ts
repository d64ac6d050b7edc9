import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '#adapters/contracts/stores.ts';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { startPortolan } from '#bootstrap/portolan.ts';
import { ada, keepingLogger, type LogLine } from '#test/support/authorization/auth-app.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';

/**
 * Opens the whole server as `main.ts` composes it, in this process, on a free port, with its own data folder; Ada is user 1. `stores`
 * replace its stores.
 */
export async function openWholeServer(env: Readonly<Record<string, string>> = {}, stores: Partial<Stores> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-whole-'));
  if (Object.keys(stores).length === 0) await writeEmptySqlite(join(dataDir, 'portolan.sqlite'));
  const lines: LogLine[] = [];
  const own = { DATA_DIR: dataDir, PORT: '0', ADMIN_EMAIL: ada.email, ADMIN_PASSWORD: ada.password };
  const settings = readSettings({ ...own, ...env });
  const services = settings.services.map(({ service }) => service);
  const config = { ...checkConfig({ stores: () => stores }), services };
  const server = await startPortolan({ settings, logger: keepingLogger(lines), version: '0.0.0', config });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    baseUrl: server.baseUrl,
    port: server.port,
    dataDir,
    lines,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An open server. */
export type WholeServer = Awaited<ReturnType<typeof openWholeServer>>;
