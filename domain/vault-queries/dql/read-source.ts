import { type DqlCursor, readLink, readString, refusal } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Source } from '#domain/vault-queries/dql/dql-tree.ts';

const words = [
  ['or', /OR(?![\p{L}\p{N}_])|\|/iuy],
  ['and', /AND(?![\p{L}\p{N}_])|&/iuy],
] as const;

type Joined = Readonly<{ kind: 'or' | 'and'; right: Source }>;

/** Reads the source after FROM: tags, folders and links, with `or`, `and` and `-`, from left to right. */
export function readSource(cursor: DqlCursor): Source | null {
  return cursor.nested(() => {
    const head = readOne(cursor);
    if (head === null) return null;
    return cursor
      .many(() => readJoined(cursor))
      .reduce<Source>((left, { kind, right }) => ({ kind, left, right }), head);
  });
}

function readJoined(cursor: DqlCursor): Joined | null {
  const kind = words.find(([, word]) => cursor.token(word) !== null)?.[0];
  const right = kind === undefined ? null : readOne(cursor);
  return kind === undefined || right === null ? null : { kind, right };
}

function readOne(cursor: DqlCursor): Source | null {
  const { place } = cursor;
  if (cursor.take(/csv\(/iy) !== null) throw refusal('csv()', place, 'is not read here: notes are');
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
  const source = pathOf(
    kind,
    readLink(cursor)
      ?.replace(/[#|][\s\S]*$/, '')
      .trim() ?? null,
  );
  if (source !== null) cursor.skip();
  return source;
}

const tagOf = (name: string | null): Source | null => (name === null ? null : { kind: 'tag', name });

const pathOf = (kind: 'folder' | 'incoming' | 'outgoing', path: string | null): Source | null =>
  path === null ? null : { kind, path };
