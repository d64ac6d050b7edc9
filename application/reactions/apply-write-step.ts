import type { NoteEdits, NoteText } from '#application/ports/note-edits.ts';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import { hasBlockId } from '#domain/notes/dated-lines.ts';
import { hasValue } from '#domain/notes/frontmatter.ts';
import { headingFor } from '#domain/notes/heading.ts';
import { inertFrontmatter } from '#domain/notes/inert-frontmatter.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { StepEffect } from '#domain/reactions/run-result.ts';
import type { WriteStep } from '#domain/reactions/step.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The maximum number of attempts at a note that is edited concurrently. */
const maxTries = 4;

/** Applies what a reaction adds to the note at a path; creates the note when it is missing. */
export class ApplyWriteStep {
  readonly #notes: VaultNotes;
  readonly #textOf: NoteText;
  readonly #edits: NoteEdits | null;

  /** Creates the use case. Without `edits`, each change of a note is a request of its own. */
  constructor(notes: VaultNotes, textOf: NoteText, edits: NoteEdits | null) {
    this.#notes = notes;
    this.#textOf = textOf;
    this.#edits = edits;
  }

  /** Applies a step and returns what it came to; idempotent. The vault's failures are returned. */
  async run(wanted: WriteStep): Promise<Result<StepEffect, Failure>> {
    const step = { ...wanted, frontmatter: inertFrontmatter(wanted.frontmatter) };
    for (let tries = 0; tries < maxTries; tries += 1) {
      const read = await this.#notes.read(step.path);
      if (!read.ok) return read;
      const written = read.value === null ? await this.#create(step) : await this.#change(step, read.value);
      if (!written.ok) return written;
      const isOnce = written.value?.startsWith('unchanged ') === true;
      if (written.value !== null) return ok({ line: written.value, result: isOnce ? 'once' : 'ran' });
    }
    return { ok: false, failure: failed('unavailable', `${step.path} is being changed by others all the time.`) };
  }

  /** Creates the note; null when somebody else created it in the meantime. */
  async #create({ path, frontmatter, entry }: WriteStep): Promise<Result<string | null, Failure>> {
    const text = entry === null ? '' : `${markedText(entry)}\n`;
    const body = entry?.heading === null || entry === null ? text : `\n## ${entry.heading}\n${text}`;
    const content =
      Object.keys(frontmatter).length === 0 ? body.trimStart() : this.#textOf({ path, frontmatter, body });
    const isCreated = await this.#notes.create(path, content);
    if (!isCreated.ok) return isCreated;
    return ok(isCreated.value ? `created ${path}` : null);
  }

  /** Adds what is missing in the note; null when the note changed concurrently. */
  async #change(step: WriteStep, note: VaultNote): Promise<Result<string | null, Failure>> {
    const differing = Object.entries(step.frontmatter).filter(
      ([key, value]) => !hasValue(note.frontmatter, key, value),
    );
    const entry = step.entry === null || hasBlockId(note.content, step.entry.mark) ? null : step.entry;
    if (differing.length === 0 && entry === null) return ok(`unchanged ${step.path}`);
    const line = `updated ${step.path}: ${[...differing.map(([key]) => key), ...(entry === null ? [] : [entry.heading ?? 'text'])].join(', ')}`;
    const text = this.#changed(note, differing, entry);
    if (text !== null && note.version !== null) {
      const isWritten = await this.#notes.replace(step.path, text, note.version);
      return isWritten.ok ? ok(isWritten.value ? line : null) : isWritten;
    }
    for (const [key, value] of differing) {
      const set = await this.#notes.setFrontmatter(step.path, key, value);
      if (!set.ok) return set;
    }
    const added = entry === null ? ok(undefined) : await this.#append(note, entry);
    return added.ok ? ok(line) : added;
  }

  /** Returns the note's text with all additions; null when one of them must be left to the vault. */
  #changed(note: VaultNote, differing: readonly (readonly [string, unknown])[], entry: Entry | null): string | null {
    const edits = this.#edits;
    if (edits === null) return null;
    let text: string | null = note.content;
    for (const [key, value] of differing) text = text === null ? null : edits.setFrontmatter(text, key, value);
    if (text === null || entry === null) return text;
    const heading = headingIn(text, entry);
    if (!heading.ok) return null;
    if (heading.value !== null) return edits.appendUnderHeading(text, heading.value, markedText(entry));
    return edits.append(text, atEnd(text, entry));
  }

  async #append({ path, content }: VaultNote, entry: Entry): Promise<Result<void, Failure>> {
    const heading = headingIn(content, entry);
    if (!heading.ok) return err(failed('invalid_input', `${path}: ${heading.failure.detail}`));
    if (heading.value !== null) return this.#notes.appendUnderHeading(path, heading.value, markedText(entry));
    return this.#notes.append(path, atEnd(content, entry));
  }
}

type Entry = NonNullable<WriteStep['entry']>;

const headingIn = (content: string, { heading }: Entry): ReturnType<typeof headingFor> =>
  heading === null ? ok(null) : headingFor(content, heading);

/** Returns the text to append to a note that lacks the heading, including the heading if there is one. */
function atEnd(content: string, entry: Entry): string {
  const start = content === '' || content.endsWith('\n') ? '' : '\n';
  const text = `${markedText(entry)}\n`;
  return entry.heading === null ? `${start}${text}` : `${start}\n## ${entry.heading}\n${text}`;
}

/** Matches a line to which a block id can be appended: a paragraph or a list item. */
const canEndInMark = /^\s*(?:[-*+] |\d{1,9}[.)] )?[^\s#>|`~$<-]/;

/**
 * Returns the text with its block id, at the end of its last line, or in a paragraph of its own where that line cannot
 * carry one.
 */
function markedText({ text, mark }: Entry): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return canEndInMark.test(last) ? `${text} ^${mark}` : `${text}\n\n^${mark}`;
}
