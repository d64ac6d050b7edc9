import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Empty databases that were made before, by what they were made with. */
const place = resolve('node_modules/.cache/empty-postgres');

/**
 * Puts an empty database into a folder that does not exist yet: a copy of the one that was made before with the same release, user and
 * flags, at a third of what `make` costs. The first to come makes it, and keeps a copy for the others.
 */
export async function emptyPostgres(
  folder: string,
  madeWith: readonly string[],
  make: () => Promise<void>,
): Promise<void> {
  // On Windows a copy does not keep who may read it.
  if (process.platform === 'win32') return make();
  const key = createHash('sha256')
    .update(JSON.stringify([process.getuid?.(), ...madeWith]))
    .digest('hex');
  const kept = join(place, key.slice(0, 32));
  if (existsSync(kept)) return copy(kept, folder);
  await make();
  const draft = `${kept}.${randomUUID()}`;
  await mkdir(dirname(draft), { recursive: true });
  copy(folder, draft);
  // Another process may have kept its own in the meantime.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }));
}

/** With owners and modes, which PostgreSQL is strict about. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to], { stdio: ['ignore', 'ignore', 'inherit'] });
}
