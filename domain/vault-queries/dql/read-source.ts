import { type DqlCursor, readLink, readString } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Source } from '#domain/vault-queries/dql/dql-tree.ts';

const word = { or: /OR(?![\p{L}\p{N}_])/iuy, and: /AND(?![\p{L}\p{N}_])/iuy } as const;

/** Reads the source after FROM: tags, folders and links, with `or`, `and` and `-`. */
export function readSource(cursor: DqlCursor): Source | null {
  return cursor.nested(() => joined(cursor, 'or', () => joined(cursor, 'and', () => readOne(cursor))));
}

/** Reads sources that are joined by a word, from left to right. */
function joined(cursor: DqlCursor, kind: 'or' | 'and', read: () => Source | null): Source | null {
  const head = read();
  if (head === null) return null;
  const tail = cursor.many(() => (cursor.token(word[kind]) === null ? null : read()));
  return tail.reduce<Source>((left, right) => ({ kind, left, right }), head);
}

function readOne(cursor: DqlCursor): Source | null {
  const found =
    cursor.whole(() => (cursor.token(/[-!]/y) === null ? null : negated(cursor))) ??
    cursor.whole(() => (cursor.token(/\(/y) === null ? null : closed(cursor, readSource(cursor)))) ??
    cursor.whole(() => tagOf(cursor.take(/#([^ \t\r\n,()"!|&]+)/y))) ??
    cursor.whole(() => pathOf('folder', readString(cursor))) ??
    cursor.whole(() => (cursor.token(/outgoing\(/iy) === null ? null : closed(cursor, linked('outgoing', cursor)))) ??
    linked('incoming', cursor);
  if (found !== null) cursor.skip();
  return found;
}

function negated(cursor: DqlCursor): Source | null {
  const source = cursor.nested(() => readOne(cursor));
  return source === null ? null : { kind: 'not', source };
}

function closed(cursor: DqlCursor, source: Source | null): Source | null {
  return source === null || cursor.take(/\)/y) === null ? null : source;
}

function linked(kind: 'incoming' | 'outgoing', cursor: DqlCursor): Source | null {
  const source = pathOf(kind, readLink(cursor));
  if (source !== null) cursor.skip();
  return source;
}

const tagOf = (name: string | null): Source | null => (name === null ? null : { kind: 'tag', name });

const pathOf = (kind: 'folder' | 'incoming' | 'outgoing', path: string | null): Source | null =>
  path === null ? null : { kind, path };
