/** Returns the code of a file system error ('ENOENT'); null for any other value. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** An error like that of a disk that is gone. */
export const diskGone = (): Error => Object.assign(new Error('The folder is not there'), { code: 'ENODEV' });

/** Whether the error means that the path does not exist: no such entry, or a file where a folder is expected. */
export const isFileAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
