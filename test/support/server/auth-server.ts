import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPortolan } from '#bootstrap/portolan.ts';
import { readSettings } from '#bootstrap/settings.ts';
import { ada, keepingLogger, type LogLine } from '#test/support/authorization/auth-app.ts';

/** The whole server as `main.ts` composes it, in this process, on a free port, with a folder of its own; Ada is user 1. */
export async function openWholeServer(env: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-whole-'));
  const lines: LogLine[] = [];
  const own = { DATA_DIR: dataDir, PORT: '0', ADMIN_EMAIL: ada.email, ADMIN_PASSWORD: ada.password };
  const server = await startPortolan(readSettings({ ...own, ...env }), keepingLogger(lines), '0.0.0');
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

/** A whole server that is open. */
export type WholeServer = Awaited<ReturnType<typeof openWholeServer>>;
