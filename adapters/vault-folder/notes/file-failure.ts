import type { FileFailure } from '#domain/notes/vault-failure.ts';
import { own } from '#domain/shared/own.ts';
import { err, type Result } from '#domain/shared/result.ts';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';

const codes: Readonly<Record<string, FileFailure['reason']>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'unusable_name',
  ENAMETOOLONG: 'unusable_name',
  EINVAL: 'unusable_name',
  EILSEQ: 'unusable_name',
  EEXIST: 'unusable_name',
  EISDIR: 'is_folder',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EACCES: 'not_permitted',
  EPERM: 'not_permitted',
  EROFS: 'read_only',
  ESTALE: 'away',
  EIO: 'away',
  ENODEV: 'away',
  ENXIO: 'away',
  ENOTCONN: 'away',
  EHOSTDOWN: 'away',
};

/** Converts a file system error to a failure; rethrows any other error. */
export function failureOf(error: unknown): Result<never, FileFailure> {
  const code = errorCode(error) ?? '';
  const reason = isFileAbsent(error) && code === 'ENOENT' ? 'not_found' : own(codes, code);
  if (reason === undefined) throw error;
  return err({ reason });
}

/** An error like that of reading a folder as a file. */
export const notAFile = (): Error => Object.assign(new Error('Not a file'), { code: 'EISDIR' });
