import { parse } from 'yaml';
import { splitNote } from '#adapters/embedded-vault/note-text.ts';

/** What can be asked about a note without reading it. */
export type NoteMetadata = Readonly<{
  /** Empty when there is none, or it cannot be parsed. */
  frontmatter: Readonly<Record<string, unknown>>;
  /** Every use of a tag, frontmatter first, without the #; one used twice is here twice. */
  tagUses: readonly string[];
}>;

const code = /^(`{3,}|~{3,})[\s\S]*?(?:^\1[`~]*[ \t]*$|(?![\s\S]))|`[^`\n]*`/gm;
const inlineTag = /(?<=^|\s)#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_\-/]+)/gu;

/** Reads frontmatter and tags. Tags in code do not count, nor those of digits only. */
export function readMetadata(text: string): NoteMetadata {
  const { yaml, bodyStart } = splitNote(text);
  const frontmatter = yaml === null ? {} : parseFrontmatter(yaml);
  return { frontmatter, tagUses: [...frontmatterTags(frontmatter['tags']), ...inlineTags(text, bodyStart)] };
}

/** The YAML as an object; empty when it is something else or broken. */
export function parseFrontmatter(yaml: string): Readonly<Record<string, unknown>> {
  if (yaml === '') return {};
  try {
    const value: unknown = parse(yaml, { logLevel: 'silent', uniqueKeys: false });
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether the value is an object and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function frontmatterTags(tags: unknown): readonly string[] {
  const list: readonly unknown[] = typeof tags === 'string' ? tags.split(/[,\s]+/) : Array.isArray(tags) ? tags : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map((tag) => String(tag).replace(/^#/, ''))
    .filter((tag) => tag !== '');
}

function inlineTags(text: string, bodyStart: number): readonly string[] {
  if (!text.includes('#', bodyStart)) return [];
  const prose = text.slice(bodyStart).replace(code, ' ');
  return [...prose.matchAll(inlineTag)].map((match) => match[1] ?? '').filter((tag) => /[^\d/]/.test(tag));
}
