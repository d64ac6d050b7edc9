import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Has the programs of the clone in `root` built in a process of its own, at the lowest priority, which goes on when this one ends. Without the
 * builder, which is a package of development, nothing happens. What it says is dropped: the sources run as well.
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
