import type { Splice } from '#domain/notes/edits/edited-note.ts';
import {
  afterMove,
  bare,
  type FileMeant,
  type FilesNamed,
  fileMeant,
  folderOf,
  type LinkForm,
  relativePath,
} from '#domain/notes/links/file-meant.ts';
import { linkText, type PlacedLink } from '#domain/notes/links/note-links.ts';
import { isNote } from '#domain/notes/vault-path.ts';

/** A file that moves; `files` are those before. */
export type Move = Readonly<{ from: string; to: string; files: FilesNamed }>;

/** A link that is left as it is, at an offset, and why. */
export type LeftLink = Readonly<{ at: number; why: string }>;

/** What becomes of the links of one note: the parts of its text to replace, and the links that are left. */
export type ChangedLinks = Readonly<{ splices: readonly Splice[]; left: readonly LeftLink[] }>;

/**
 * What a move changes in the links of one note, which is at `source` before it: links to the moved file, and those that
 * the moved note has to others. A link is rewritten only if it then means the file that it meant.
 */
export function movedLinks(links: readonly PlacedLink[], source: string, move: Move): ChangedLinks {
  const splices: Splice[] = [];
  const left: LeftLink[] = [];
  const after = afterMove(move.files, move.from, move.to);
  for (const link of links) {
    const meant = fileMeant(move.files, source, link);
    const why = meant === null || link.path === '' ? null : outcomeOf(link, meant, source, { ...move, after });
    if (why === null) continue;
    if (why.kind === 'left') left.push({ at: link.start, why: why.why });
    else splices.push({ start: link.start, end: link.end, text: why.text });
  }
  return { splices, left };
}

type Decided = Readonly<{ kind: 'left'; why: string }> | Readonly<{ kind: 'new'; text: string }> | null;

function outcomeOf(
  link: PlacedLink,
  meant: NonNullable<FileMeant>,
  source: string,
  { from, to, after }: Move & Readonly<{ after: FilesNamed }>,
): Decided {
  if (meant.kind === 'several') {
    if (!meant.paths.includes(from)) return null;
    return {
      kind: 'left',
      why: `It may mean ${meant.paths
        .slice(0, 3)
        .map((path) => `"${path}"`)
        .join(' or ')}.`,
    };
  }
  const newSource = source === from ? to : source;
  const isMoved = meant.path === from;
  const target = isMoved ? to : meant.path;
  const means = (path: string): boolean => {
    const found = fileMeant(after, newSource, { ...link, path });
    // A path from the note's folder stays one: other programs read it so.
    return found?.kind === 'one' && found.path === target && (meant.form !== 'beside' || found.form === 'beside');
  };
  if (!isMoved && means(link.path)) return null;
  if (!isMoved && source !== from) return { kind: 'left', why: `It meant "${target}", and may mean "${to}" now.` };
  for (const path of writings(link, target, meant.form, newSource)) {
    if (!means(path)) continue;
    const text = path === link.path ? null : linkText(link, path, link.place);
    if (path === link.path) return null;
    if (text !== null) return { kind: 'new', text };
  }
  return { kind: 'left', why: `No link of this kind can name "${target}".` };
}

/** The ways to write a path, the one most like the link as it is first. */
function writings(
  { kind, path: written }: PlacedLink,
  target: string,
  form: LinkForm,
  source: string,
): readonly string[] {
  const named = isNote(written) || !isNote(target) ? target : bare(target);
  const relative = relativePath(folderOf(source), named);
  const dotted =
    written.startsWith('./') || (kind === 'wiki' && !relative.startsWith('../')) ? `./${relative}` : relative;
  const beside = relative.startsWith('../') ? relative : dotted;
  const rooted = written.startsWith('/') ? `/${named}` : named;
  const short = written.includes('/') ? rooted : named.slice(named.lastIndexOf('/') + 1);
  const forms: Readonly<Record<LinkForm, readonly string[]>> = {
    beside: [kind === 'wiki' && !/^\.{1,2}\//.test(written) ? rooted : beside, rooted, beside],
    root: [rooted, beside],
    end: [short, rooted, beside],
  };
  return [...forms[form], `/${named}`];
}
