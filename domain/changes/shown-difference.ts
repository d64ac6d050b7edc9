import type { Difference, FieldChange, RecordChange } from '#domain/changes/planned-change.ts';

/** A line of a text's difference: removed, added, or the same for orientation. */
export type DifferenceLine = Readonly<{ kind: 'removed' | 'added' | 'same'; text: string }>;

/** A changed place of a text; `line` is its first line in the text before, from 1. */
export type Hunk = Readonly<{ line: number; lines: readonly DifferenceLine[] }>;

/**
 * What a call changes in one note, as people see it. `what` says whether the note is made, deleted or moved. `isCut` is
 * true when not all of the difference is shown.
 */
export type ShownText = Readonly<{
  kind: 'text';
  path: string;
  to?: string;
  what: 'made' | 'changed' | 'deleted' | 'moved';
  hunks: readonly Hunk[];
  isCut: boolean;
}>;

/** What a call changes in one place, as people see it: bounded, and with the changed lines of texts only. */
export type ShownDifference = RecordChange | ShownText;

/** How many places, fields, and lines of texts of one change are shown. */
export const maxShownPlaces = 60;
const maxFields = 60;
export const maxShownLines = 400;
/** The maximum length of a shown value, and of a shown line, in characters. */
const maxValue = 2_000;
const maxLine = 500;

/** Returns a record's change as it is shown: with bounded values, and without fields that stay as they are. */
export function shownRecord({ fields, ...record }: RecordChange): RecordChange {
  const changed = fields.filter((field) => !('before' in field) || !isSame(field.before, field.after));
  return { ...record, fields: changed.slice(0, maxFields).map(shownField) };
}

/** Returns a text's change as it is shown, given the places that differ. */
export function shownTextChange(
  { path, before, after, to }: Extract<Difference, { kind: 'text' }>,
  hunks: readonly Hunk[],
): ShownText {
  let left = maxShownLines;
  const kept = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left).map(shownLine);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  const all = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const moved = to === undefined ? {} : { to };
  return { kind: 'text', path, ...moved, what: whatOf({ before, after, to }), hunks: kept, isCut: all > maxShownLines };
}

function whatOf({
  before,
  after,
  to,
}: Readonly<{ before: string | null; after: string | null; to?: string | undefined }>) {
  if (to !== undefined) return 'moved';
  if (before === null) return 'made';
  return after === null ? 'deleted' : 'changed';
}

function shownField({ field, ...values }: FieldChange): FieldChange {
  const shown = Object.entries(values).map(([name, value]) => [name, shownValue(value)] as const);
  return { field, ...Object.fromEntries(shown) };
}

function shownValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined || text.length <= maxValue) return value;
  return `${text.slice(0, maxValue)}… (${text.length} characters)`;
}

function shownLine({ kind, text }: DifferenceLine): DifferenceLine {
  return { kind, text: text.length <= maxLine ? text : `${text.slice(0, maxLine)}…` };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A change as JSON for apps and pages: texts as lines with a sign before each, as in a patch. */
export function differenceAsJson(shown: ShownDifference): Readonly<Record<string, unknown>> {
  if (shown.kind === 'record') {
    const { id, title, fields } = shown;
    return { ...(title === null ? {} : { record: title }), ...(id === null ? {} : { id }), fields };
  }
  const { path, to, what, hunks, isCut } = shown;
  const lines = hunks.flatMap(({ line, lines: changed }) => [
    `@@ line ${line}`,
    ...changed.map(({ kind, text }) => `${signs[kind]}${text}`),
  ]);
  return { path, ...(to === undefined ? {} : { to }), what, lines, ...(isCut ? { cut: true } : {}) };
}

const signs = { removed: '-', added: '+', same: ' ' } as const;
