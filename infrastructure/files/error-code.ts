/** The code of a file system error ('ENOENT'), or null when the value thrown is something else. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether the error says that nothing is there: no such entry, or a part of the path is a file. */
export const isFileAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
