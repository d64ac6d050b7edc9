import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '#bootstrap/config/settings.ts';
import { messageOf } from '#domain/shared/error-text.ts';

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
    throw new StartError(`DATA_DIR: ${dataDir} cannot be created (${codeOf(error)}). Choose a writable folder.`);
  }
}

/** Returns sentences for a refused access: to whom the file or folder belongs, and who asks; else nothing. */
function whose(path: string, error: unknown): string {
  const user = process.getuid?.();
  if (user === undefined || !['EACCES', 'EPERM'].includes(codeOf(error))) return '';
  const owner = ownerOf(path);
  if (owner === user) return ' It belongs to the server’s user, but its mode or its disk forbids this.';
  const belongs = owner === null ? '' : ` It belongs to user ${owner}.`;
  return `${belongs} The server runs as user ${user}: change its owner to that user, or start the server as its owner.`;
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
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
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${codeOf(error)}).${whose(file, error)} Or set SECRET_KEY_BASE.`);
  });
  const secret = text.trim();
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
    const folder = dirname(file);
    throw new StartError(`DATA_DIR: ${folder} cannot be written (${codeOf(error)}).${whose(folder, error)}`);
  } finally {
    // Where it could not be made, it cannot be looked for either.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Returns the system's error code ('EACCES'), or the error's message. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return messageOf(error);
}

/**
 * Thrown for an error in a configuration; the message is one sentence with the place and the remedy, printed without a
 * stack.
 */
export class ConfigError extends StartError {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
