import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { temporaryDataDir } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
let program: string;
beforeAll(async () => {
  folder = await temporaryDataDir();
  program = await testedProgram('bootstrap/stdio.ts');
});
afterAll(() => folder.remove());

const start = (path: string) => {
  const env = { ...programEnvironment(), DATA_DIR: folder.dataDir, PORTOLAN_EMAIL: 'admin@localhost' };
  return spawn(process.execPath, [program, '--socket', path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
};

/** Waits until a stream has said so. */
const heard = (stream: NodeJS.ReadableStream, words: string): Promise<void> => {
  let said = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes(words)) resolve();
    });
  });
};

/** Sends a request, and returns the first line that comes back; the socket stays open. */
const ask = (socket: Socket, method: string): Promise<string> => {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })}\n`);
  let answer = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.includes('\n')) resolve(answer);
    });
  });
};

it('a socket serves several clients, refuses a second server, and closes at SIGTERM (RUN-011)', async () => {
  const path = join(folder.dataDir, 'mcp.sock');
  const server = start(path);
  await heard(server.stderr, `Listening on ${path}`);
  const sockets = [connect(path), connect(path)];
  const answers = await Promise.all(sockets.map((socket) => ask(socket, 'tools/list')));
  for (const answer of answers) expect(answer).toContain('vault_note_read');

  const second = start(path);
  expect(await text(second.stderr)).toContain(`--socket: ${path} is served by another process.`);
  expect(second.exitCode ?? (await once(second, 'close'))[0]).toBe(1);

  const closed = sockets.map((socket) => once(socket, 'close'));
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
  await Promise.all(closed);
  expect(existsSync(path)).toBe(false);
}, 120_000);
