import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

/** How many threads of a process wait for the disk: those that libuv names so. */
function diskThreadsOf(pid: number): number {
  const names = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8'));
  return names.filter((name) => name.startsWith('libuv-worker')).length;
}

it.skipIf(process.platform !== 'linux').each([
  [{}, 32],
  [{ UV_THREADPOOL_SIZE: '3' }, 3],
] as const)('the server with %o waits for the disk in %i threads (INBOX-028)', async (env, threads) => {
  const { dataDir, remove } = await temporaryDataDir();
  const server = await startServer({ ...env, DATA_DIR: dataDir });
  expect(diskThreadsOf(server.pid)).toBe(threads);
  await server.end('SIGKILL');
  await remove();
});
