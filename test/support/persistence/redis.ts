import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/kit/free-port.ts';

/** A Redis or Valkey to test against: how to empty it, and how to end it. */
export type TestRedis = Readonly<{ url: string; stop(): Promise<void> }>;

/** `TEST_REDIS_URL`, else a server of the programs `redis-server` or `valkey-server`; a sentence when there is none. */
export async function startRedis(): Promise<TestRedis | string> {
  const given = process.env['TEST_REDIS_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  for (const program of ['redis-server', 'valkey-server']) {
    const started = await startProgram(program);
    if (started !== null) return started;
  }
  return 'neither redis-server nor valkey-server is installed, and TEST_REDIS_URL is not set';
}

async function startProgram(program: string): Promise<TestRedis | null> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-redis-'));
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(program, settings, { stdio: 'ignore' });
  // `once` rejects when the program is missing: that is an event named `error`.
  const isMissing = await once(child, 'spawn').then(
    () => false,
    () => true,
  );
  const remove = () => rm(folder, { recursive: true, force: true });
  if (isMissing) {
    await remove();
    return null;
  }
  while (!(await answers(port))) await sleep(20);
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
    await remove();
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
