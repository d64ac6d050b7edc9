/** Whether a path is `place` itself or below it. */
export function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
