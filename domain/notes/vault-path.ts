import { err, ok, type Result } from '#domain/shared/result.ts';
import { inNfc } from '#domain/text/nfc.ts';

/** A normalised path in the vault: forward slashes, without leading or trailing slash; '' is the root. */
export type VaultPath = Readonly<{ path: string; endsInSlash: boolean }>;

/**
 * Why a path is refused. `outside`: it would leave the vault. `hidden`: a dot-file, or in a dot-folder. `blank_name`: a
 * name of nothing that can be seen. `unusable_name`: a name this platform cannot store.
 */
export type PathFailure = Readonly<{ reason: 'outside' | 'hidden' | 'blank_name' | 'unusable_name' }>;

const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
const notOnWindows = /[<>:"|?*\p{Cc}]|[. ]$/u;

/** Parses the path of a request, percent-decoded once; malformed encoding is `outside`. */
export function readVaultPath(encoded: string, platform?: string): Result<VaultPath, PathFailure> {
  const decoded = decode(encoded);
  return decoded === null ? err({ reason: 'outside' }) : vaultPathOf(decoded, platform);
}

/**
 * Normalises a path, its names to Unicode NFC. Rejects what could leave the vault (`..`, a leading slash, a backslash, NUL) and every name that
 * starts with a dot (.git, .trash, .env, settings).
 */
export function vaultPathOf(given: string, platform: string = process.platform): Result<VaultPath, PathFailure> {
  if (/[\0\\]/.test(given) || given.startsWith('/')) return err({ reason: 'outside' });
  const segments = inNfc(given)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return err({ reason: 'outside' });
  if (isHidden(segments)) return err({ reason: 'hidden' });
  if (segments.some(isBlank)) return err({ reason: 'blank_name' });
  if (platform === 'win32' && segments.some(isUnusableOnWindows)) return err({ reason: 'unusable_name' });
  return ok({ path: segments.join('/'), endsInSlash: given.endsWith('/') });
}

/** Whether listings and searches omit the entry: a dot-file, or anything in a dot-folder. */
export function isUnlisted(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Whether the file is a note, i.e. its name ends in `.md`. */
export const isNote = (path: string): boolean => path.toLowerCase().endsWith('.md');

/** The name of a note: the last segment of the path without its extension. */
export function noteName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** Percent-encodes the path for a header, keeping its slashes. */
export function encodeVaultPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function isHidden(segments: readonly string[]): boolean {
  return segments.some((segment) => segment.startsWith('.'));
}

/** Whether a name, without its ending, has nothing that can be seen. */
export const isBlank = (name: string): boolean => /^[\p{Z}\p{Cc}\p{Cf}]*(?:\.[^.]*)?$/u.test(name);

function isUnusableOnWindows(segment: string): boolean {
  return deviceName.test(segment) || notOnWindows.test(segment);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
