import { FieldTable, layered, typedText } from '#domain/vault-queries/dql/field-values.ts';
import type { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { Link } from '#domain/vault-queries/dql/link.ts';
import { linksIn } from '#domain/vault-queries/dql/links-in-text.ts';
import { fieldsOfItem, type ListItem } from '#domain/vault-queries/dql/note-body.ts';

/** The note that list items are in. */
export type ListNote = Readonly<{ path: string; linkIn(inner: string): Link }>;

/** The list items of a note as a query sees them, by the items; `others` are the fields that they take from the note. */
export class ListFields {
  readonly #note: ListNote;
  readonly #known = new Map<ListItem, LazyFields>();

  constructor(note: ListNote) {
    this.#note = note;
  }

  /** The fields of an item. */
  of(item: ListItem): LazyFields {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const { path, linkIn } = this.#note;
    const written = fieldsOfItem(item).map(([name, text]) => [name, typedText(text, linkIn)] as const);
    const table = new FieldTable(written);
    const text = item.lines.join('\n');
    const blockId = /(?:^|\s)\^([A-Za-z\d-]+)$/.exec(text)?.[1] ?? null;
    const section = new Link({ path, subpath: item.section });
    const children = () => item.children.map((child) => this.of(child));
    const last = item.line + item.lines.length - 1;
    const own = {
      symbol: () => item.symbol,
      link: () => (blockId === null ? section : new Link({ path, subpath: blockId, isBlock: true })),
      section: () => section,
      header: () => section,
      text: () => text,
      tags: () => [...new Set(text.match(/(?<![^\s(])#[^\s#,;.:!?'"`()[\]{}]+/g) ?? [])],
      line: () => item.line,
      lineCount: () => item.lines.length,
      position: () => ({ start: { line: item.line }, end: { line: last } }),
      path: () => path,
      outlinks: () => linksIn(text, linkIn),
      children,
      subtasks: children,
      task: () => item.status !== null,
      real: () => item.status !== null,
      annotated: () => written.length > 0,
      parent: () => item.parent?.line ?? null,
      blockId: () => blockId,
      ...(item.status === null ? {} : statusOf(item, item.status)),
    };
    const fields = layered(own, table, () => printed(item, text, table));
    this.#known.set(item, fields);
    return fields;
  }
}

const isDone = (status: string | null): boolean => status === 'x' || status === 'X';
const isAllDone = ({ status, children }: ListItem): boolean =>
  (status === null || isDone(status)) && children.every(isAllDone);

function statusOf(item: ListItem, status: string) {
  return {
    status: () => status,
    checked: () => status !== ' ',
    completed: () => isDone(status),
    fullyCompleted: () => isAllDone(item),
  };
}

/** An item as it is answered: its text, its state, its own fields, and the heading that it is under. */
function printed({ status, line, section, parent }: ListItem, text: string, table: FieldTable): object {
  const fields = Object.fromEntries(table.names.map((name) => [name, table.get(name)]));
  const state = status === null ? {} : { status, checked: status !== ' ', completed: isDone(status) };
  return {
    ...fields,
    text,
    ...state,
    line,
    ...(section === null ? {} : { section }),
    ...(parent === null ? {} : { parent: parent.line }),
  };
}
