import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freePort } from '#test/kit/free-port.ts';
import { temporaryDataDir } from '#test/support/server/server-process.ts';

// npm runs a script in a shell; a SIGTERM to npm ends that shell and reaches nobody below it.
it.skipIf(process.platform === 'win32')(
  'the server reports at once that it is starting, and drains when the shell that npm started it in is gone (RUN-008)',
  async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', npm_lifecycle_event: 'start' };
    const command = `"${process.execPath}" bootstrap/node24.mjs bootstrap/main.ts; true`;
    const shell = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    shell.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    const output = await isReady(shell.stdout);
    const closed = once(shell, 'close');
    shell.kill('SIGKILL');
    // The pipes close when the server, which holds their other ends, has ended.
    await closed;
    expect(log).toContain('"signal":"SIGTERM"');
    expect(output).toMatch(/^Starting…\n/);
    await remove();
  },
);

it.skipIf(process.platform === 'win32')(
  "the server finishes the running request when a SIGTERM to npm's process group reaches it several times (RUN-022)",
  async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const port = await freePort();
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: String(port) };
    const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(npm, 'close');
    let log = '';
    npm.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    await isReady(npm.stdout);
    // The server says when it has the head; the body is under way when the signals come.
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const registering = request({ port, path: '/register', method: 'POST', headers });
    const answered = once(registering, 'response');
    registering.flushHeaders();
    await once(registering, 'continue');
    registering.write('{"client_name":"App",');
    while (!log.includes('Stopping')) {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM');
      await pause(100);
    }
    // npm, its shell and the starter have ended, and passed theirs on.
    await pause(1_000);
    registering.end('"redirect_uris":["https://app.example/"]}');
    const [response]: IncomingMessage[] = await answered;
    response?.resume();
    expect(response?.statusCode).toBe(201);
    await closed;
    expect(log.match(/"msg":"Stopp\w+/g)).toEqual(['"msg":"Stopping', '"msg":"Stopped']);
    await remove();
  },
);

/** Reads the output until the banner has been printed; returns it. */
function isReady(stdout: Readable): Promise<string> {
  let output = '';
  return new Promise((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ctrl-C')) resolve(output);
    });
  });
}
