import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isLong } from '#test/support/form.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const maxMs = 300_000;

// A process a server takes much of two cores: `npm test` has the servers in test/http/cluster, in one process.
it.skipIf(!isLong)(
  'npm run cluster plays the story on three servers, one of which is killed on the way, and ends with 0 (CLU-001)',
  async () => {
    const script = resolve('test/demo/cluster/main.ts');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], {
      env: programEnvironment(),
      timeout: maxMs,
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('Server 2 was killed');
    expect(stdout).toContain('14  Tracker  Bob is done');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/server 1: \d+, server 2: \d+, server 3: \d+$/);
  },
  maxMs,
);
