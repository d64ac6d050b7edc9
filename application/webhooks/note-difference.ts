import type { NoteEdits } from '#application/ports/note-edits.ts';
import type { VaultNote } from '#application/ports/vault-notes.ts';
import { hasBlockId, withDatedLine } from '#domain/notes/dated-lines.ts';
import { hasValue } from '#domain/notes/frontmatter.ts';
import { headingFor } from '#domain/notes/heading.ts';
import type { HistoryEntry, NoteStep } from '#domain/reactions/step.ts';

/**
 * The difference between a note and a step: keys whose values differ, missing history lines, and the names of both for
 * people.
 */
type NoteDifference = Readonly<{
  differing: readonly (readonly [string, unknown])[];
  missing: readonly HistoryEntry[];
  names: readonly string[];
}>;

/** Returns what the note lacks; for a late step only the history lines. */
export function differenceOf({ frontmatter, content }: VaultNote, step: NoteStep, isLate: boolean): NoteDifference {
  const wanted = isLate ? [] : Object.entries(step.frontmatter);
  const differing = wanted.filter(([key, value]) => !hasValue(frontmatter, key, value));
  const missing = missingLines(content, step.history);
  return { differing, missing, names: [...differing.map(([key]) => key), ...missing.map(({ heading }) => heading)] };
}

/** Returns the history lines that the text lacks. */
export const missingLines = (content: string, history: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  history.filter(({ mark }) => !hasBlockId(content, mark));

/** Adds everything that is missing to the text; null when a part must be left to the vault. */
export function withAll(edits: NoteEdits, content: string, { differing, missing }: NoteDifference): string | null {
  let text: string | null = content;
  for (const [key, value] of differing) text = text === null ? null : edits.setFrontmatter(text, key, value);
  return text === null ? null : withLines(edits, text, missing);
}

/**
 * Adds lines under their headings: by time among the dated lines there, else at the end of the section; null when a
 * part must be left to the vault.
 */
export function withLines(edits: NoteEdits, content: string, lines: readonly HistoryEntry[]): string | null {
  let text: string | null = content;
  for (const { heading, text: line, mark } of lines) {
    if (text !== null) text = withLine(edits, text, heading, `${line} ^${mark}`);
  }
  return text;
}

function withLine(edits: NoteEdits, text: string, heading: string, line: string): string | null {
  const placed = withDatedLine(text, heading, line);
  if (placed !== null) return placed;
  const target = headingFor(text, heading);
  if (!target.ok) return null;
  if (target.value !== null) return edits.appendUnderHeading(text, target.value, line);
  return edits.append(text, newSection(text, heading, line));
}

/** Returns a new section to append to a note. */
export const newSection = (content: string, heading: string, line: string): string =>
  `${content.endsWith('\n') ? '' : '\n'}\n## ${heading}\n${line}\n`;
