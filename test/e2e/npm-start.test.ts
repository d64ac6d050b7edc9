import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { temporaryDataDir } from '#test/support/server/server-process.ts';

// npm runs a script in a shell; a SIGTERM to npm ends that shell and reaches nobody below it.
it.skipIf(process.platform === 'win32')(
  'the server says at once that it starts, and drains when the shell that npm started it in is gone (RUN-008)',
  async () => {
    const { dataDir, remove } = await temporaryDataDir();
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', npm_lifecycle_event: 'start' };
    const command = `"${process.execPath}" bootstrap/node24.mjs bootstrap/main.ts; true`;
    const shell = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let log = '';
    shell.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    await new Promise<void>((resolve) => {
      shell.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl-C')) resolve();
      });
    });
    const closed = once(shell, 'close');
    shell.kill('SIGKILL');
    // The pipes close when the server, which holds their other ends, has ended.
    await closed;
    expect(log).toContain('"signal":"SIGTERM"');
    expect(output).toMatch(/^Starting…\n/);
    await remove();
  },
);
