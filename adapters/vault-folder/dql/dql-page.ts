import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import type { NoteMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { noteName } from '#domain/notes/vault-path.ts';
import { own } from '#domain/shared/own.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';
import { FieldTable, layered, typedText, typedValue } from '#domain/vault-queries/dql/field-values.ts';
import { fileFields } from '#domain/vault-queries/dql/file-fields.ts';
import { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { Link, linkOf } from '#domain/vault-queries/dql/link.ts';
import { linksIn } from '#domain/vault-queries/dql/links-in-text.ts';
import { ListFields } from '#domain/vault-queries/dql/list-fields.ts';
import { dayInTitle, Moment, startOfDay } from '#domain/vault-queries/dql/moment.ts';
import { readNoteBody } from '#domain/vault-queries/dql/note-body.ts';

/** What of notes’ texts a query asks for. */
export type PageNeeds = Readonly<{ items: boolean; links: boolean }>;

/** A note as a query sees it. Its text is not kept. */
export type Page = Readonly<{
  path: string;
  tags: readonly string[];
  fields: LazyFields;
  tasks(): readonly LazyFields[];
}>;

/** Reads what a query needs of a note. */
export function pageOf(path: string, text: string, metadata: NoteMetadata, index: NoteIndex, needs: PageNeeds): Page {
  const linkIn = (inner: string): Link => linkOf(inner, (to) => index.links.resolved(path, [to])[0] ?? null);
  const body = needs.items || text.includes('::') ? readNoteBody(text, path) : { fields: [], items: [] };
  const frontmatter = Object.entries(metadata.frontmatter).map(
    ([name, value]) => [name, typedValue(value, linkIn)] as const,
  );
  const inline = body.fields.map(([name, value]) => [name, typedText(value, linkIn)] as const);
  const table = new FieldTable([...frontmatter, ...inline]);
  const lists = new ListFields({ path, linkIn });
  const asked = (isNeeded: boolean, name: string, value: () => readonly unknown[]) => () => {
    if (isNeeded) return value();
    throw new DqlError(`Write file.${name} out in the query.`);
  };
  const listed = () => body.items.map((item) => lists.of(item));
  const tasks = () => body.items.filter(({ status }) => status !== null).map((item) => lists.of(item));
  const outlinks = needs.links ? linksIn(text, linkIn) : [];
  const file = () =>
    fileOf(path, metadata, index, {
      day: () => dayOfNote(path, table),
      tasks: asked(needs.items, 'tasks', tasks),
      lists: asked(needs.items, 'lists', listed),
      outlinks: asked(needs.links, 'outlinks', () => outlinks),
    });
  const link = new Link({ path });
  const fields = layered({ file }, table, () => link);
  return { path, tags: tagsOf(metadata), fields, tasks: () => tasks().map((task) => within(task, fields)) };
}

/** A task with the fields of its note, which it has where it has none of its own. */
function within(task: LazyFields, page: LazyFields): LazyFields {
  return new LazyFields(
    () => [...new Set([...task.names(), ...page.names()])],
    (name) => task.get(name) ?? page.get(name),
    task.printed,
  );
}

/** The tags of a note and all their parent tags, each with its `#`. */
function tagsOf({ tagUses }: NoteMetadata): readonly string[] {
  const names = tagUses.flatMap((tag) => {
    const parts = tag.split('/').slice(0, 20);
    return parts.map((_, index) => `#${parts.slice(0, index + 1).join('/')}`);
  });
  return [...new Set(names)];
}

/** The day of a note: that of its field `date` or `day`, else of its title. */
function dayOfNote(path: string, table: FieldTable): Moment | null {
  for (const name of ['date', 'day']) {
    const value = table.get(name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (first instanceof Moment) return first;
    const day =
      first instanceof Link ? dayInTitle(`${first.path} ${first.subpath ?? ''} ${first.display ?? ''}`) : null;
    if (day !== null) return day;
  }
  return dayInTitle(noteName(path));
}

type Members = Readonly<Record<string, () => unknown>>;

/** The fields of `file`, which are worked out when they are asked for; another one is refused. */
function fileOf(path: string, metadata: NoteMetadata, index: NoteIndex, others: Members): LazyFields {
  const stat = index.statOf(path) ?? { ctime: 0, mtime: 0, size: 0 };
  const [created, changed] = [new Moment(stat.ctime), new Moment(stat.mtime)];
  const members: Members = {
    name: () => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, ''),
    path: () => path,
    folder: () => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    ext: () => 'md',
    link: () => new Link({ path }),
    size: () => stat.size,
    ctime: () => created,
    cday: () => startOfDay(created),
    mtime: () => changed,
    mday: () => startOfDay(changed),
    tags: () => tagsOf(metadata),
    etags: () => [...new Set(metadata.tagUses)].map((tag) => `#${tag}`),
    inlinks: () => index.links.sourcesOf(path).map((source) => new Link({ path: source })),
    frontmatter: () => metadata.frontmatter,
    aliases: () => aliasesOf(metadata.frontmatter),
    ...others,
  };
  const get = (name: string): unknown => {
    const member = own(members, name);
    if (member !== undefined) return member();
    throw new DqlError(`file.${name} is not known here. Known are ${fileFields.join(', ')}.`);
  };
  return new LazyFields(
    () => fileFields,
    get,
    () => new Link({ path }),
  );
}

function aliasesOf(frontmatter: Readonly<Record<string, unknown>>): readonly string[] {
  const values = [own(frontmatter, 'alias'), own(frontmatter, 'aliases')];
  const names = values.flatMap((value): readonly unknown[] =>
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [],
  );
  return names.filter((name) => typeof name === 'string').flatMap((name) => name.trim() || []);
}
