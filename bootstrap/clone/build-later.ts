import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the programs of the clone in `root` in a detached process with the lowest priority, which outlives this one.
 * No-op when the builder, a development dependency, is not installed. Its output is discarded: without a build the
 * sources run.
 */
export function buildLater(root: string): void {
  if (!existsSync(join(root, 'node_modules/rolldown'))) return;
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, 'test/tools/build/clone.ts')], {
    cwd: root,
    env,
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
}
