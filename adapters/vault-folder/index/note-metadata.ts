import { readFrontmatter } from '#adapters/vault-folder/notes/read-frontmatter.ts';
import { isObject } from '#domain/json/json-data.ts';
import { inlineTags } from '#domain/notes/inline-tags.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { plainValues } from '#infrastructure/yaml/plain-yaml.ts';

/** The metadata of a note. */
export type NoteMetadata = Readonly<{
  /** Empty when there is none, or it cannot be parsed. */
  frontmatter: Readonly<Record<string, unknown>>;
  /** Every use of a tag, frontmatter first, without the `#`; a tag used twice is listed twice. */
  tagUses: readonly string[];
}>;

/** Parses frontmatter and tags. Tags in code and tags of digits only do not count. */
export function readMetadata(text: string): NoteMetadata {
  const { yaml, bodyStart } = splitNote(text);
  const frontmatter = yaml === null ? {} : parseFrontmatter(yaml);
  return { frontmatter, tagUses: [...frontmatterTags(frontmatter['tags']), ...inlineTags(text, bodyStart)] };
}

/** Parses YAML as an object; empty when it is something else or malformed. */
export function parseFrontmatter(yaml: string): Readonly<Record<string, unknown>> {
  const plain = plainValues(yaml);
  if (plain !== null) return plain;
  const read = readFrontmatter(yaml, false);
  return read.ok && isObject(read.value.values) ? read.value.values : {};
}

function frontmatterTags(tags: unknown): readonly string[] {
  const list: readonly unknown[] = typeof tags === 'string' ? tags.split(/[,\s]+/) : Array.isArray(tags) ? tags : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map((tag) => String(tag).replace(/^#/, ''))
    .filter((tag) => tag !== '');
}
