import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '#bootstrap/settings.ts';

/** Thrown for an error that the operator can correct; its message is printed without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

/** Creates `DATA_DIR` when it is missing, accessible to its owner only. */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`DATA_DIR: ${dataDir} cannot be made (${codeOf(error)}). Name a folder that can be written.`);
  }
}

/**
 * Returns the secret that keys are derived from: `SECRET_KEY_BASE`, or the one stored in `DATA_DIR` with mode 0600,
 * which the first start creates. Processes that start at the same time get the same secret, since it is linked into
 * place, which only one can do.
 */
async function secretKeyBase(settings: Settings): Promise<string> {
  if (settings.SECRET_KEY_BASE !== undefined) return settings.SECRET_KEY_BASE;
  const file = join(settings.dataDir, 'secret_key_base');
  if (!existsSync(file)) await makeSecret(file);
  // A restored secret may be readable by others. On a read-only disk its mode cannot be changed.
  await chmod(file, 0o600).catch(codeOf);
  const secret = (await readFile(file, 'utf8')).trim();
  if (Buffer.byteLength(secret) < 32) {
    throw new StartError(`${file} holds fewer than 32 bytes. Restore it from a backup, or set SECRET_KEY_BASE.`);
  }
  return secret;
}

/**
 * Returns all secrets that keys are derived from: the current one, which encrypts, and the former one, if set, which
 * still decrypts.
 */
export async function openSecrets(settings: Settings): Promise<readonly [current: string, ...former: string[]]> {
  const current = await secretKeyBase(settings);
  const former = settings.SECRET_KEY_BASE_PREVIOUS;
  return former === undefined ? [current] : [current, former];
}

async function makeSecret(file: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw new StartError(`${file} cannot be written (${codeOf(error)}). Check DATA_DIR, or set SECRET_KEY_BASE.`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the system's error code ('EACCES'), or the error's message. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}
