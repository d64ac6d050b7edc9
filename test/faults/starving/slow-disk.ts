import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that takes long to sync, for a server that is started with `env`. */
export type SlowDisk = Readonly<{
  env: Readonly<Record<string, string>>;
  /** How long each sync takes besides, in ms; 0 at first. */
  be(ms: number): void;
  remove(): void;
}>;

/** Makes one, of a library that is compiled here; a sentence that says why where none can be made. */
export function makeSlowDisk(): SlowDisk | string {
  if (process.platform !== 'linux') return 'a slow disk is made on Linux only';
  const folder = mkdtempSync(join(tmpdir(), 'portolan-slow-disk-'));
  const [library, file] = [join(folder, 'slow-disk.so'), join(folder, 'ms')];
  const source = join(import.meta.dirname, 'slow-disk.c');
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return 'there is no gcc to make a slow disk with';
  }
  const be = (ms: number) => writeFileSync(file, String(ms));
  be(0);
  return {
    env: { LD_PRELOAD: library, SLOW_DISK: file },
    be,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
