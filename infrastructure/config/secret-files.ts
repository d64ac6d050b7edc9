import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { SettingError } from '#infrastructure/config/read-env.ts';

/** The maximum size of a file with a secret, in bytes. */
const maxBytes = 65_536;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment with each secret that `X_FILE` names read from its file, for these names of secrets, and the
 * errors of those that cannot be read. An empty file counts as not set; one line break at its end is dropped (CONF-014
 * to CONF-018).
 */
export function withSecretFiles(
  env: Environment,
  secrets: readonly string[],
): Readonly<{ env: Environment; errors: readonly SettingError[] }> {
  const filled = new Map(Object.entries(env));
  const errors: SettingError[] = [];
  for (const name of secrets) {
    const variable = `${name}_FILE`;
    const path = filled.get(variable) ?? '';
    filled.delete(variable);
    if (path === '') continue;
    const isGiven = (filled.get(name) ?? '') !== '';
    const read = isGiven ? { error: `is set beside ${name}; keep one of them` } : readSecret(path);
    if ('error' in read) errors.push({ variable, message: read.error });
    else filled.set(name, read.secret);
  }
  return { env: Object.fromEntries(filled), errors };
}

function readSecret(path: string): Readonly<{ secret: string }> | Readonly<{ error: string }> {
  // The value is not quoted: somebody may have put the secret itself there.
  if (!isAbsolute(path)) return { error: 'must be the absolute path of a file with the secret' };
  try {
    const bytes = readFile(path);
    if (typeof bytes === 'string') return { error: `names ${path}, ${bytes}` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { error: `names ${path}, which is not text` };
    return { secret: text.replace(/\r?\n$/, '') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { error: `names ${path}, which is not text` };
    return { error: `names ${path}, which cannot be read (${code})` };
  }
}

/** Returns the bytes of a file, or what it is instead of one with a secret. Links are followed. */
function readFile(path: string): Uint8Array | string {
  // Without waiting for somebody who writes, as the opening of a named pipe would.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return 'which is not a file';
    // Not by its size, which files of /proc do not tell.
    const bytes = new Uint8Array(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    return length > maxBytes ? `which has more than ${maxBytes} bytes` : bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
