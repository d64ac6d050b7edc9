import type { ShownDifference } from '#domain/changes/shown-difference.ts';
import { visibleText } from '#domain/shared/visible-text.ts';

/** A value of a field as a page shows it; null for one that there was not, or is not known. */
type PlainValue = string | null;

/** What was changed in one place, as the template `differences` shows it, with invisible characters as escapes. */
export type PlainDifference = Readonly<{
  title: string;
  what: string;
  fields: readonly Readonly<{ field: string; before: PlainValue; after: PlainValue }>[];
  lines: readonly Readonly<{ kind: 'removed' | 'added' | 'same' | 'place'; text: string }>[];
  isCut: boolean;
}>;

const whatTexts = { made: 'New note', changed: 'Changed', deleted: 'Deleted', moved: 'Moved' } as const;

/** Returns differences as the template `differences` shows them: fields with both values, texts by lines. */
export function plainDifferences(differences: readonly ShownDifference[]): readonly PlainDifference[] {
  return differences.map((one) => {
    if (one.kind === 'record') {
      const title = one.title ?? one.id ?? 'New record';
      const fields = one.fields.map(({ field, ...values }) => ({
        field: visibleText(field),
        before: 'before' in values ? plainValue(values.before) : null,
        after: 'after' in values ? plainValue(values.after) : null,
      }));
      return { title: visibleText(title), what: '', fields, lines: [], isCut: false };
    }
    const { path, to, what, hunks, isCut } = one;
    const lines = hunks.flatMap(({ line, lines: inPlace }) => [
      { kind: 'place' as const, text: `Line ${line}` },
      ...inPlace.map(({ kind, text }) => ({ kind, text: visibleText(text) })),
    ]);
    const title = visibleText(to === undefined ? path : `${path} → ${to}`);
    return { title, what: whatTexts[what], fields: [], lines, isCut };
  });
}

function plainValue(value: unknown): PlainValue {
  if (value === null || value === undefined) return null;
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
}
