import { safeName } from '#domain/notes/note-path.ts';
import { inNfc } from '#domain/text/nfc.ts';

const maxPath = 600;

/**
 * Sanitizes a path produced by a template: each segment becomes a safe name within the vault. Null when the path does
 * not end in .md, is too long, or has an empty, `.` or `..` segment.
 */
export function filledPath(filled: string): string | null {
  const path = filled.trim();
  if (!/\.md$/i.test(path) || path.length > maxPath) return null;
  const names = path.replace(/\.md$/i, '').split('/');
  if (names.some((name) => name.trim() === '' || name.trim() === '.' || name.trim() === '..')) return null;
  return `${names.map(safeName).join('/')}.md`;
}

/** Whether the path is inside the folder, at any depth; compared case-insensitively. */
export function isWithin(folder: string, path: string): boolean {
  return inNfc(path)
    .toLowerCase()
    .startsWith(`${inNfc(folder).toLowerCase()}/`);
}
