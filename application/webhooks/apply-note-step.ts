import type { NoteEdits, NoteText } from '#application/ports/note-edits.ts';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import { differenceOf, missingLines, newSection, withAll, withLines } from '#application/webhooks/note-difference.ts';
import { withDatedLine } from '#domain/notes/dated-lines.ts';
import { headingFor } from '#domain/notes/heading.ts';
import { inertFrontmatter } from '#domain/notes/inert-frontmatter.ts';
import { notePathWith } from '#domain/notes/note-path.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { NoteStep } from '#domain/reactions/step.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * The effect of a step on a note; `late` when a later event had already set its frontmatter. `changed` lists the
 * frontmatter keys that were written and the headings that got a line.
 */
export type NoteEffect = Readonly<{
  path: string | null;
  how: 'created' | 'updated' | 'unchanged' | 'late' | 'no_note';
  changed: readonly string[];
}>;

/**
 * A note that was created, or found where it would have been; `isWhole` when the step needs no further writes.
 */
type CreatedNote = Readonly<{ note: VaultNote; isNew: boolean; isWhole: boolean; changed: readonly string[] }>;

const noNote: NoteEffect = { path: null, how: 'no_note', changed: [] };

/**
 * The maximum number of attempts to write a note that is edited concurrently, before a line is appended instead of
 * placed by time.
 */
const maxTries = 3;

/**
 * Applies a step to a note: finds it by its stored path, else by its id in the frontmatter, creates it when there is
 * none, sets the values that differ, and adds the missing history lines.
 */
export class ApplyNoteStep {
  readonly #notes: VaultNotes;
  readonly #links: NoteLinks;
  readonly #textOf: NoteText;
  readonly #edits: NoteEdits | null;

  /** Creates the use case. Without `edits`, each change of a note is a request of its own. */
  constructor(notes: VaultNotes, links: NoteLinks, textOf: NoteText, edits: NoteEdits | null) {
    this.#notes = notes;
    this.#links = links;
    this.#textOf = textOf;
    this.#edits = edits;
  }

  /** Applies a step and returns its effect; idempotent. The vault's failures are returned. */
  async run(wanted: NoteStep): Promise<Result<NoteEffect, Failure>> {
    const step = withInertFrontmatter(wanted);
    const link = await this.#links.find(step.record);
    const isLate = link !== null && step.occurredAt < link.appliedAt;
    const found = await this.#locate(step, link);
    if (!found.ok) return found;
    if (found.value === null && (step.create === null || isLate)) return ok(noNote);
    const made = found.value === null ? await this.#create(step) : null;
    if (made !== null && !made.ok) return made;
    const note = found.value ?? made?.value?.note ?? null;
    if (note === null) return ok(noNote);
    const isWhole = made?.value?.isWhole === true;
    const written = isWhole ? ok<readonly string[]>([]) : await this.#update(step, note, isLate);
    if (!written.ok) return written;
    const changed = [...(made?.value?.changed ?? []), ...written.value];
    await this.#links.keep({ record: step.record, path: note.path, appliedAt: step.occurredAt });
    if (made?.value?.isNew === true) return ok({ path: note.path, how: 'created', changed });
    if (isLate) return ok({ path: note.path, how: 'late', changed });
    return ok({ path: note.path, how: changed.length > 0 ? 'updated' : 'unchanged', changed });
  }

  /** Finds the record's note; null when there is none. */
  async #locate(step: NoteStep, link: NoteLink | null): Promise<Result<VaultNote | null, Failure>> {
    if (link !== null) {
      const remembered = await this.#notes.read(link.path);
      if (!remembered.ok || isOf(step, remembered.value)) return remembered;
    }
    const paths = await this.#notes.findByFrontmatter(step.idKey, idOf(step));
    if (!paths.ok) return paths;
    const [path] = paths.value;
    return path === undefined ? ok(null) : this.#notes.read(path);
  }

  /**
   * Creates the note with its history lines; under a path with a remark when another note has the template's path. The
   * record's own note can be there although it was not found: another process has just created it.
   */
  async #create(step: NoteStep): Promise<Result<CreatedNote | null, Failure>> {
    const { create, record, frontmatter, history } = step;
    if (create === null) return ok(null);
    const bare = this.#textOf(create);
    const missing = missingLines(bare, history);
    const whole = this.#edits === null ? null : withLines(this.#edits, bare, missing);
    const content = whole ?? bare;
    const changed = whole === null ? [] : missing.map(({ heading }) => heading);
    const remarks = [null, record.id.slice(0, 12), record.id];
    for (const remark of remarks) {
      const path = remark === null ? create.path : notePathWith(create.path, remark);
      const isCreated = await this.#notes.create(path, content);
      if (!isCreated.ok) return isCreated;
      if (isCreated.value) {
        const note = { path, content, frontmatter, version: null };
        return ok({ note, isNew: true, isWhole: whole !== null, changed });
      }
      const there = await this.#notes.read(path);
      if (!there.ok) return there;
      if (there.value !== null && isOf(step, there.value))
        return ok({ note: there.value, isNew: false, isWhole: false, changed: [] });
    }
    return { ok: false, failure: failed('conflict', `Other notes have the path ${create.path} and its alternatives.`) };
  }

  /**
   * Sets the values that differ, unless the event is late, and adds the missing history lines; returns the names of
   * what was written.
   */
  async #update(step: NoteStep, note: VaultNote, isLate: boolean): Promise<Result<readonly string[], Failure>> {
    let current = note;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { path, content, version } = current;
      const difference = differenceOf(current, step, isLate);
      if (difference.names.length === 0) return ok([]);
      const changed = this.#edits === null || version === null ? null : withAll(this.#edits, content, difference);
      if (changed === null || version === null) break;
      const isWritten = await this.#notes.replace(path, changed, version);
      if (!isWritten.ok) return isWritten;
      if (isWritten.value) return ok(difference.names);
      // The note was edited concurrently: apply the changes to its new text.
      const read = await this.#notes.read(path);
      if (!read.ok) return read;
      current = read.value ?? current;
    }
    return this.#writeOneByOne(step, current, isLate);
  }

  async #writeOneByOne(step: NoteStep, note: VaultNote, isLate: boolean): Promise<Result<readonly string[], Failure>> {
    const { differing, missing, names } = differenceOf(note, step, isLate);
    for (const [key, value] of differing) {
      const set = await this.#notes.setFrontmatter(note.path, key, value);
      if (!set.ok) return set;
    }
    for (const { heading, text, mark } of missing) {
      const added = await this.#addLine(note, heading, `${text} ^${mark}`);
      if (!added.ok) return added;
    }
    return ok(names);
  }

  /**
   * Adds a line under a heading: by its time among the dated lines there, else at the end of the section; creates a
   * missing heading.
   */
  async #addLine(note: VaultNote, heading: string, line: string): Promise<Result<void, Failure>> {
    const { path, content } = note;
    const isPlaced =
      withDatedLine(content, heading, line) === null ? ok(false) : await this.#place(path, heading, line);
    if (!isPlaced.ok) return isPlaced;
    if (isPlaced.value) return ok(undefined);
    const target = headingFor(content, heading);
    if (!target.ok) return err(failed('invalid_input', `${path}: ${target.failure.detail}`));
    if (target.value !== null) return this.#notes.appendUnderHeading(path, target.value, line);
    return this.#notes.append(path, newSection(content, heading, line));
  }

  /** Inserts a line before a newer one; false when that would overwrite a concurrent edit. */
  async #place(path: string, heading: string, line: string): Promise<Result<boolean, Failure>> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const read = await this.#notes.read(path);
      if (!read.ok) return read;
      const { content = '', version = null } = read.value ?? {};
      const changed = withDatedLine(content, heading, line);
      if (changed === null || version === null) return ok(false);
      const isWritten = await this.#notes.replace(path, changed, version);
      if (!isWritten.ok || isWritten.value) return isWritten;
    }
    return ok(false);
  }
}

/** Neutralizes the service's values in a step, including those of the note to create. */
function withInertFrontmatter(step: NoteStep): NoteStep {
  const frontmatter = inertFrontmatter(step.frontmatter);
  const { create } = step;
  return create === null
    ? { ...step, frontmatter }
    : { ...step, frontmatter, create: { ...create, frontmatter: { ...create.frontmatter, ...frontmatter } } };
}

/** Returns the record's id as its note has it. */
function idOf({ idKey, frontmatter, record }: NoteStep): string {
  return String(frontmatter[idKey] ?? record.id);
}

function isOf(step: NoteStep, note: VaultNote | null): boolean {
  return note !== null && String(note.frontmatter[step.idKey]) === idOf(step);
}
