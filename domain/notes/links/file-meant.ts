import type { PlacedLink } from '#domain/notes/links/note-links.ts';
import { isNote } from '#domain/notes/vault-path.ts';
import { inNfc } from '#domain/text/nfc.ts';

/** The files whose path may be written as this lower-cased end; with a leading slash, as their whole path. */
export type FilesNamed = (end: string) => readonly string[];

/** Where a link's path begins: at the folder of its note, at the root, or anywhere. */
export type LinkForm = 'beside' | 'root' | 'end';

/** The file that a link means and the form in which it names it; `several` it may mean; null for none. */
export type FileMeant =
  | Readonly<{ kind: 'one'; path: string; form: LinkForm }>
  | Readonly<{ kind: 'several'; paths: readonly string[] }>
  | null;

/** A path as links are compared: in lower case, without `.` and `..`. */
export function comparedPath(path: string): string {
  const parts: string[] = [];
  for (const part of inNfc(path).toLowerCase().split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The folder of a file with a slash at the end; '' for the root. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const maxPath = 4_096;

/**
 * Finds the file that a link in the note `source` means, not by guess: where programs would choose between files of one
 * name, it means several.
 */
export function fileMeant(
  files: FilesNamed,
  source: string,
  { kind, path }: Pick<PlacedLink, 'kind' | 'path'>,
): FileMeant {
  if (path === '') return { kind: 'one', path: source, form: 'beside' };
  if (path.length > maxPath) return null;
  const wanted = comparedPath(path);
  const root = exactly(files(`/${wanted}`), path);
  if (path.startsWith('/')) return one(root, 'root');
  const beside = exactly(files(`/${comparedPath(folderOf(source) + path)}`), path);
  if (/^\.{1,2}\//.test(path) || (kind === 'markdown' && beside.length > 0)) return one(beside, 'beside');
  if (kind === 'markdown' && root.length > 0) return one(root, 'root');
  const all = exactly(files(wanted), path);
  if (all.length === 0) return one(beside, 'beside');
  if (all.length === 1) return one(all, path.includes('/') && root.length === 1 ? 'root' : 'end');
  const isRoot = path.includes('/') && root.length === 1 && (beside.length === 0 || beside[0] === root[0]);
  return isRoot ? one(root, 'root') : { kind: 'several', paths: all };
}

function one(found: readonly string[], form: LinkForm): FileMeant {
  const [path, ...others] = found;
  if (path === undefined) return null;
  return others.length > 0 ? { kind: 'several', paths: found } : { kind: 'one', path, form };
}

/** Of files whose whole paths differ in case or by `.md` alone, the one that is written exactly. */
function exactly(found: readonly string[], written: string): readonly string[] {
  if (found.length < 2) return found;
  const [first = '', ...others] = found;
  const lower = bare(first).toLowerCase();
  if (!others.every((path) => bare(path).toLowerCase() === lower)) return found;
  const name = nameIn(inNfc(written));
  const exact = found.filter((path) => nameIn(path) === name);
  if (exact.length === 1) return exact;
  const notes = found.filter((path) => isNote(path) && nameIn(bare(path)) === name);
  return notes.length === 1 ? notes : found;
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path without the ending of notes. */
export const bare = (path: string): string => (isNote(path) ? path.slice(0, -3) : path);

/** Whether links may write a path as this lower-cased end. */
export function isWrittenAs(path: string, end: string): boolean {
  const lower = path.toLowerCase();
  return [lower, bare(lower)].some(
    (place) =>
      `/${place}`.endsWith(end.startsWith('/') ? end : `/${end}`) &&
      (!end.startsWith('/') || place.length === end.length - 1),
  );
}

/** The files after one has moved. */
export const afterMove =
  (files: FilesNamed, from: string, to: string): FilesNamed =>
  (end) => [...files(end).filter((path) => path !== from), ...(isWrittenAs(to, end) ? [to] : [])];

/** The path of a file from a folder, which ends with a slash or is ''. */
export function relativePath(folder: string, path: string): string {
  const [above, names] = [folder.split('/').slice(0, -1), path.split('/')];
  let shared = 0;
  while (shared < above.length && shared < names.length - 1 && above[shared] === names[shared]) shared += 1;
  return [...above.slice(shared).map(() => '..'), ...names.slice(shared)].join('/');
}
