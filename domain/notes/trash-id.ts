import { randomBytes } from 'node:crypto';

/** The ids of deleted files: `20261128T103000123Z-1a2b3c4d`, the time of the deletion in UTC and a random end. */
export const trashIdPattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{8}$/;

/** Makes the id of a file that is deleted at this time (Unix ms). */
export function newTrashId(now: number): string {
  return `${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
}

/** The time of the deletion in Unix ms; null for a text that is no such id. */
export function timeOfTrashId(id: string): number | null {
  const parts = trashIdPattern.exec(id);
  if (parts === null) return null;
  const [year = 0, month = 1, ...rest] = parts.slice(1).map(Number);
  const [day = 1, hour = 0, minute = 0, second = 0, ms = 0] = rest;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}
