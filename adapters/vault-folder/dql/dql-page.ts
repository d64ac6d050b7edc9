import { linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import type { NoteMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { noteName } from '#domain/notes/vault-path.ts';
import { own } from '#domain/shared/own.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';
import { Link, Moment } from '#domain/vault-queries/dql/dql-values.ts';

/** A note as a query sees it. */
export type Page = Readonly<{ path: string; text: string; metadata: NoteMetadata }>;

/** The tags of a note and all their parent tags, each with its `#`. */
export function tagsOf({ metadata }: Page): readonly string[] {
  const names = metadata.tagUses.flatMap((tag) => {
    const parts = tag.split('/').slice(0, 20);
    return parts.map((_, index) => `#${parts.slice(0, index + 1).join('/')}`);
  });
  return [...new Set(names)];
}

const midnight = (ms: number): Moment => new Moment(new Date(ms).setHours(0, 0, 0, 0));
const links = (paths: readonly string[]): readonly Link[] => paths.map((path) => new Link(path));

type Member = (page: Page, index: NoteIndex) => unknown;
const stat = (page: Page, index: NoteIndex) => index.statOf(page.path) ?? { ctime: 0, mtime: 0, size: 0 };

const members: Readonly<Record<string, Member>> = {
  name: ({ path }) => noteName(path),
  path: ({ path }) => path,
  folder: ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  ext: () => 'md',
  link: ({ path }) => new Link(path),
  size: (page, index) => stat(page, index).size,
  ctime: (page, index) => new Moment(stat(page, index).ctime),
  cday: (page, index) => midnight(stat(page, index).ctime),
  mtime: (page, index) => new Moment(stat(page, index).mtime),
  mday: (page, index) => midnight(stat(page, index).mtime),
  tags: tagsOf,
  etags: ({ metadata }) => [...new Set(metadata.tagUses)].map((tag) => `#${tag}`),
  inlinks: ({ path }, index) => links(index.links.sourcesOf(path)),
  outlinks: ({ path, text }, index) => links(index.links.resolved(path, linkTargetsOf(text))),
  frontmatter: ({ metadata }) => metadata.frontmatter,
  aliases: ({ metadata }) => keyOf(metadata.frontmatter, 'aliases') ?? [],
};

/**
 * Looks up a name in the scope of a note: `file`, whose members are computed on access, or a key of the frontmatter.
 */
export function variableOf(page: Page, index: NoteIndex, name: string): unknown {
  return name === 'file' ? fileOf(page, index) : keyOf(page.metadata.frontmatter, name);
}

/** The `file` object of a note. Accessing an unknown member throws, rather than yielding null for every note. */
function fileOf(page: Page, index: NoteIndex): object {
  const known = (name: string | symbol): Member => {
    const member = typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : undefined;
    if (member !== undefined) return member;
    throw new DqlError(`file.${String(name)} is not known here. Known are ${Object.keys(members).join(', ')}.`);
  };
  return new Proxy(Object.create(null), {
    get: (_, name) => (name === 'toJSON' ? undefined : known(name)(page, index)),
    getOwnPropertyDescriptor: (_, name) => {
      known(name);
      return { configurable: true, enumerable: true, value: null };
    },
  });
}

/**
 * Looks up a frontmatter key: exactly, else by its normalised form (lower case, dashes for spaces), as the language
 * defines it.
 */
function keyOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(values, name)) return own(values, name);
  const wanted = name.toLowerCase();
  return Object.entries(values).find(([key]) => key.toLowerCase().replaceAll(' ', '-') === wanted)?.[1];
}
