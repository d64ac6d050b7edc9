import type { Range } from '#domain/notes/code-ranges.ts';
import { type EditedNote, type Splice, spliced } from '#domain/notes/edits/edited-note.ts';
import { inlineTagPlaces } from '#domain/notes/inline-tags.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A tag and the name it gets, both without `#`. */
export type TagRename = Readonly<{ tag: string; to: string }>;

/** A tag in the frontmatter; offsets are into the YAML, `whole` is the entry with what separates it. */
export type YamlTag = Range & Readonly<{ name: string; whole: Range; isPlain: boolean }>;

/** Why a tag is not renamed; `detail` is for people. */
export type TagFailure = Readonly<{ reason: 'frontmatter_broken'; detail: string }>;

/** What a tag becomes: tags below it (`tag/…`) stay below; null for any other. Case is ignored, as in notes apps. */
export function renamedTag(name: string, { tag, to }: TagRename): string | null {
  const head = name.slice(0, tag.length);
  if (head.toLowerCase() !== tag.toLowerCase()) return null;
  const rest = name.slice(tag.length);
  return rest === '' || rest.startsWith('/') ? to + rest : null;
}

/**
 * Renames a tag in frontmatter and text. `tagsIn` finds the tags of frontmatter, null if it is too long. An entry that is there already is not
 * written twice in frontmatter.
 */
export function renameTag(
  text: string,
  rename: TagRename,
  tagsIn: (yaml: string) => readonly YamlTag[] | null,
): Result<EditedNote, TagFailure> {
  const { yaml, yamlStart, bodyStart } = splitNote(text);
  const known = yaml === null ? [] : tagsIn(yaml);
  if (known === null)
    return err({ reason: 'frontmatter_broken', detail: 'The frontmatter is too long to be checked.' });
  const names = new Set(known.map(({ name }) => name));
  const splices: Splice[] = [];
  for (const { name, start, end, whole, isPlain } of known) {
    const renamed = renamedTag(name, rename);
    if (renamed === null || renamed === name) continue;
    const isThere = names.has(renamed);
    names.add(renamed);
    const place = isThere ? whole : { start, end };
    splices.push({
      start: yamlStart + place.start,
      end: yamlStart + place.end,
      text: isThere ? '' : asYaml(renamed, isPlain),
    });
  }
  for (const { tag, start } of inlineTagPlaces(text, bodyStart)) {
    const renamed = renamedTag(tag, rename);
    if (renamed !== null && renamed !== tag) splices.push({ start, end: start + tag.length, text: renamed });
  }
  return ok(spliced(text, splices));
}

/** What YAML reads as a number, a truth value or nothing. */
const odd = /^(?:null|true|false|yes|no|on|off|y|n|[-+]?\d[\d_]*(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|-+)$/i;

const asYaml = (name: string, isPlain: boolean): string => (isPlain && odd.test(name) ? `"${name}"` : name);
