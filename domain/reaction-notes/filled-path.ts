import { safeName } from '#domain/notes/note-path.ts';

const maxPath = 600;

/**
 * Makes a filled path safe: each part is one safe name, below the top of the vault. Null for one that does not end in
 * .md, or that has an empty part.
 */
export function filledPath(filled: string): string | null {
  const path = filled.trim();
  if (!/\.md$/i.test(path) || path.length > maxPath) return null;
  const names = path.replace(/\.md$/i, '').split('/');
  if (names.some((name) => name.trim() === '' || name.trim() === '.' || name.trim() === '..')) return null;
  return `${names.map(safeName).join('/')}.md`;
}

/** Whether the path is in the folder or below it, however the case of its letters. */
export function isWithin(folder: string, path: string): boolean {
  return path
    .normalize('NFC')
    .toLowerCase()
    .startsWith(`${folder.normalize('NFC').toLowerCase()}/`);
}
