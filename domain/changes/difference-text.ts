import type { FieldChange } from '#domain/changes/planned-change.ts';
import type { ShownDifference } from '#domain/changes/shown-difference.ts';
import { visibleText } from '#domain/shared/visible-text.ts';

/** How many places, fields of a record and lines of a note the text of a difference has. */
const maxPlaces = 20;
const maxFields = 12;
const maxLines = 12;

/** The maximum length of a name, a value or a line, in characters. */
const maxPart = 160;

/**
 * Returns what a change does as a few lines of text: each record or note by name, and what changes in it. Every value is
 * on one line, with invisible characters as escapes, so that none is taken for the question around it.
 */
export function differenceText(differences: readonly ShownDifference[]): string {
  const shown = differences.slice(0, maxPlaces).map(placeText);
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** A text on one line, cut, with invisible characters as escapes. */
export function lineOf(text: string): string {
  const line = visibleText(text.slice(0, maxPart * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= maxPart ? line : `${line.slice(0, maxPart)}…`;
}

function placeText(one: ShownDifference): string {
  if (one.kind === 'record') {
    const { title, id, fields } = one;
    const name = title === null ? (id ?? 'New record') : `“${lineOf(title)}”${id === null ? '' : ` (${lineOf(id)})`}`;
    return joined(title === null ? lineOf(name) : name, fields.map(fieldText), maxFields);
  }
  const { path, to, what, hunks } = one;
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== 'same'));
  const place = to === undefined ? `“${lineOf(path)}”` : `“${lineOf(path)}” to “${lineOf(to)}”`;
  const texts = lines.map(({ kind, text }) => `${kind === 'removed' ? '-' : '+'} ${lineOf(text)}`);
  return joined(`${place}: ${what}`, texts, maxLines);
}

function joined(head: string, parts: readonly string[], most: number): string {
  const more = parts.length - most;
  return [head, ...parts.slice(0, most), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n  ');
}

function fieldText({ field, ...values }: FieldChange): string {
  const [before, after] = [
    'before' in values ? valueText(values.before) : null,
    'after' in values ? valueText(values.after) : null,
  ];
  if (before === null) return `${lineOf(field)}: ${after ?? ''}`;
  return `${lineOf(field)}: ${before} → ${after ?? 'nothing'}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  return typeof value === 'string' ? `“${lineOf(value)}”` : lineOf(JSON.stringify(value));
}
