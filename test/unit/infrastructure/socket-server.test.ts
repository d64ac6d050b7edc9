import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '#infrastructure/files/file-lock.ts';
import { isNamedPipe, SocketRefused, serveSocket } from '#infrastructure/streams/socket-server.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-sockets-'));
  path = join(folder, 'mcp.sock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a socket', () => {
  it('is accessible to its owner only, serves several at once, and is removed when it is closed (RUN-011)', async () => {
    const server = await serveSocket(path, (socket) => void socket.end('hello'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await Promise.all([text(connect(path)), text(connect(path))])).toEqual(['hello', 'hello']);
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  it('that a dead process left behind is taken over (RUN-011)', async () => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', script]), 'close');
    expect(existsSync(path)).toBe(true);
    const server = await serveSocket(path, (socket) => void socket.end('again'));
    expect(await text(connect(path))).toBe('again');
    await server.close();
  });

  it('that is in use is refused to a second server, and continues (RUN-011)', async () => {
    const server = await serveSocket(path, (socket) => void socket.end('first'));
    await expect(serveSocket(path, () => undefined)).rejects.toThrow(`${path} is served by another process. Stop it`);
    expect(await text(connect(path))).toBe('first');
    await server.close();
  });

  it('that a dead process left behind is taken over by one of two servers that start at the same time (RUN-011)', async () => {
    const dying = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    for (let round = 0; round < 10; round += 1) {
      await once(spawn(process.execPath, ['-e', dying]), 'close');
      const started = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((name) => serveSocket(path, (socket) => void socket.end(name))),
      );
      const served = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(served).toHaveLength(1);
      const refused = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const reason of refused) expect(reason).toBeInstanceOf(SocketRefused);
      expect(await text(connect(path))).toMatch(/^[a-d]$/);
      await served[0]?.close();
    }
  });

  it('that a dead process left behind belongs to nobody else while a server takes it over, or has it (RUN-011)', async () => {
    const dying = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', dying]), 'close');
    const left = (await stat(path)).ino;
    const looking = lockFile(`${path}.lock`);
    await expect(serveSocket(path, () => undefined)).rejects.toThrow(`${path} is served by another process. Stop it`);
    expect((await stat(path)).ino).toBe(left);
    looking.release();
    const server = await serveSocket(path, (socket) => void socket.end('again'));
    expect((await stat(`${path}.lock`)).mode & 0o777).toBe(0o600);
    expect(() => lockFile(`${path}.lock`)).toThrow('locked');
    await server.close();
    lockFile(`${path}.lock`).release();
  });

  it('is not created in place of another file, in a missing folder, or at too long a path', async () => {
    await writeFile(path, 'a file');
    await expect(serveSocket(path, () => undefined)).rejects.toThrow(
      'exists and is not a socket. Choose another path.',
    );
    await expect(serveSocket(join(folder, 'no', 'x'), () => undefined)).rejects.toThrow('its folder does not exist');
    await expect(serveSocket(join(folder, 'x'.repeat(100)), () => undefined)).rejects.toThrow('may have 103 bytes');
  });

  it('is distinguished from a named pipe of Windows', () => {
    expect(
      [String.raw`\\.\pipe\portolan`, String.raw`\\?\PIPE\portolan`, '/run/portolan.sock'].map(isNamedPipe),
    ).toEqual([true, true, false]);
  });
});
